"""What must be true when the dust has settled. Every check gives what it found wrong, as sentences."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from games import dice
from games.book import read_book, replay
from games.protocol import GameError
from games.registry import game
from lab.ratings import rate
from lab.records import ratings_record
from server.judgements.models import JudgementRow
from server.judgements.repository import read_log
from server.live.models import Match, MatchSeat, Source
from server.live.records.matches import match_book
from server.questionnaires.models import Answer, Sheet
from server.ratings import service
from server.ratings.models import RatingSnapshot
from tests.chaos.faults import Attack
from tests.chaos.journal import Journal
from tests.chaos.process import FAIL

Findings = list[str]
Check = Callable[[AsyncSession, Journal, Attack], Awaitable[Findings]]


async def matches(session: AsyncSession, journal: Journal, _: Attack) -> Findings:
    """Every match is over, its book replays to the recorded result, its dice are those that were promised, and whatever
    anybody was told is in it at its ply."""
    found: Findings = []
    query = select(Match).options(selectinload(Match.seats), selectinload(Match.moves)).order_by(Match.id)
    for match in await session.scalars(query):
        found += [f"match {match.id}: {problem}" for problem in about_match(match, journal)]
    return found


def about_match(match: Match, journal: Journal) -> Iterable[str]:
    moves = [move.move for move in match.moves]
    if match.ended_at is None:
        yield f"is stuck at ply {match.ply}, due {match.due} at {match.due_at}"
        return
    if [move.ply for move in match.moves] != list(range(match.ply)):
        yield "its plies are not counted through"
    try:
        told = replay(read_book(match_book(match, None)))
    except GameError as error:
        yield f"its book does not replay: {error}"
        return
    if not told.over or list(told.position.scores()) != match.scores or told.position.text() != match.position:
        yield f"its book gives {told.position.text()} {told.position.scores()}, recorded is {match.scores}"
    position = game(match.game).start()
    for move in match.moves:
        if move.seat != position.to_act:
            yield f"ply {move.ply} is recorded for seat {move.seat}, it was the turn of {position.to_act}"
        if move.ms < 0:
            yield f"ply {move.ply} took {move.ms} ms"
        position = position.play(game(match.game).move(move.move))
    verdict = dice.verify(game(match.game), match.dice_seed.hex(), match.commitment, moves)
    if not verdict.fair:
        yield f"its dice are not fair: {verdict.reason}"
    for ply, move_told in journal.told.get(match.id, {}).items():
        if ply >= len(moves) or moves[ply] != move_told:
            yield f"somebody was told {move_told} at ply {ply}, which is not in the book"
    if match.id in journal.ended and journal.ended[match.id] != (match.scores, match.winners):
        yield "another result was told than is recorded"
    yield from about_persons(match, journal)


def about_persons(match: Match, journal: Journal) -> Iterable[str]:
    """Whoever was not replaced has made exactly the moves that he or she sent."""
    present = {seat.seat for seat in match.seats if seat.person_id is not None and seat.replaced_at is None}
    for move in match.moves:
        if move.source == Source.PERSON and journal.sent.get((match.id, move.ply)) != (move.seat, move.move):
            yield f"ply {move.ply} was played for seat {move.seat} as {move.move}, nobody sent that"
        if move.seat in present and move.source not in (Source.PERSON, Source.FORCED):
            yield f"ply {move.ply} of a person who was there was played by {move.source}"


async def answers(session: AsyncSession, journal: Journal, _: Attack) -> Findings:
    """Every answer that was acknowledged is there, and counts; so does every judgement of a finished questionnaire."""
    query = select(Sheet.match_id, Sheet.person_id, Answer.item, Answer.seat, Answer.value).join(
        Answer, Answer.sheet_id == Sheet.id
    )
    kept = {(row[0], row[1], row[2], row[3]): row[4] for row in await session.execute(query.order_by(Answer.id))}
    found = [
        f"the answer {value} at {place} was acknowledged, kept is {kept.get(place)}"
        for place, value in journal.answered.items()
        if kept.get(place) != value
    ]
    rows = {(row.match_id, row.person_id, row.seat) for row in await session.scalars(select(JudgementRow))}
    replaced = select(MatchSeat).where(MatchSeat.replaced_at.is_not(None))
    stood_in = {(seat.match_id, seat.seat) for seat in await session.scalars(replaced)}
    for match, person, item, seat in journal.answered:
        if item != "verdict" or (match, person) not in journal.finished:
            continue
        counts = (match, person, seat) in rows
        if counts == ((match, seat) in stood_in):  # asked about like every seat, but left out of the log
            what = "is in the log, though a stand-in played there" if counts else "is not in the log"
            found.append(f"the judgement of {person} about seat {seat} of match {match} {what}")
    return found


async def ratings(session: AsyncSession, _: Journal, __: Attack) -> Findings:
    """Every snapshot that was stored while all this happened is what the log gives when it is computed anew."""
    found: Findings = []
    ground = await service.basis(session)
    for snapshot in await session.scalars(select(RatingSnapshot).order_by(RatingSnapshot.id)):
        if snapshot.fingerprint != ground.fingerprint:
            found.append(f"snapshot {snapshot.id} was computed with other settings, persons or software than now")
            continue
        log = await read_log(session, snapshot.game, up_to=snapshot.log_position, without=ground.left_out_ids)
        if len(log) != snapshot.judgements:
            found.append(f"snapshot {snapshot.id} knew {snapshot.judgements} of {len(log)} judgements")
            continue
        anew = json.loads(json.dumps(ratings_record(rate(log, ground.settings))))
        found += [f"snapshot {snapshot.id}: {where}" for where in differences(snapshot.record, anew, "record")]
    ends = await session.execute(select(JudgementRow.game, func.max(JudgementRow.id)).group_by(JudgementRow.game))
    for reference, last in ends:
        newest = await service.latest(session, reference)
        if newest is None or newest.log_position != last:
            found.append(f"the newest snapshot of {reference} does not reach the end of its log at {last}")
    return found


def differences(kept: Any, anew: Any, where: str) -> Iterable[str]:
    """The places where two records differ."""
    if isinstance(kept, dict) and isinstance(anew, dict) and kept.keys() == anew.keys():
        for key in kept:
            yield from differences(kept[key], anew[key], f"{where}.{key}")
    elif isinstance(kept, list) and isinstance(anew, list) and len(kept) == len(anew):
        for number, pair in enumerate(zip(kept, anew, strict=True)):
            yield from differences(*pair, f"{where}[{number}]")
    elif kept != anew:
        yield f"{where} is {kept}, the log gives {anew}"


async def jobs(session: AsyncSession, _: Journal, attack: Attack) -> Findings:
    """Whatever was put into the queue is done, or has failed with a reason that an admin can read."""
    found: Findings = []
    waiting = await session.execute(text("SELECT entrypoint, status::text, count(*) FROM pgqueuer GROUP BY 1, 2"))
    for name, status, count in waiting:
        if status != "failed":
            found.append(f"{count} jobs {name} are still {status}")
        elif name != FAIL:
            found.append(f"{count} jobs {name} have failed")
    notes = set(await session.scalars(text("SELECT number FROM chaos.notes")))
    if missing := set(range(attack.notes)) - notes:
        found.append(f"{len(missing)} of {attack.notes} jobs were never done")
    unexplained = await session.scalar(
        text("""SELECT count(*) FROM pgqueuer q WHERE status = 'failed' AND NOT EXISTS (
                SELECT FROM pgqueuer_log l WHERE l.job_id = q.id AND l.traceback IS NOT NULL)""")
    )
    if unexplained:
        found.append(f"{unexplained} failed jobs do not say why")
    failed = await session.scalar(text("SELECT count(*) FROM pgqueuer WHERE status = 'failed'")) or 0
    if failed < attack.failures:
        found.append(f"{failed} of {attack.failures} failing jobs are held")
    return found


async def leftovers(session: AsyncSession, _: Journal, __: Attack) -> Findings:
    """When all servers have gone, nobody is believed to be connected or waiting."""
    counts = {
        "processes": await session.scalar(text("SELECT count(*) FROM live_processes")),
        "connections": await session.scalar(text("SELECT count(*) FROM seat_connections")),
    }
    return [f"{count} {what} are believed to be there" for what, count in counts.items() if count]


CHECKS: Final[dict[str, Check]] = {
    "books, dice and moves": matches,
    "answers and judgements": answers,
    "ratings": ratings,
    "jobs": jobs,
    "connections": leftovers,
}
