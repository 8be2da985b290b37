"""What a match leaves behind: its book, its replay, its dice, and what a person may see of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, JsonValue
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from games.book import TimedMove, record, standard_headers, write_book
from games.course import course
from games.protocol import CHANCE, Game
from games.registry import game as find_game
from server.accounts.models import Person, Role
from server.accounts.owndata import streams
from server.accounts.sessions import Identity
from server.base.errors import N_, Conflict, NotFound
from server.live.models import Match, MatchMove, MatchSeat
from server.live.records.judging import Judge, judges_of
from server.live.tables.referee import replay
from server.rules.service import open_game
from server.study.consent import ConsentKind
from server.study.withdrawal import gathered

WRITTEN_AT_ONCE: Final = 8
"""Books of a person's download; each takes some milliseconds."""


class RecordedMove(BaseModel):
    """One move of a replay; `seat` is -1 for chance. `ms` is withheld of others while the viewer may still judge."""

    ply: int
    seat: int
    move: str
    ms: int | None


class SeatRecord(BaseModel):
    """Who sat on a seat; only researchers see this."""

    seat: int
    person: bool
    strategy: str | None
    replaced: bool


class MatchReplay(BaseModel):
    """A match from its first die on. `seats` is filled for researchers only."""

    match: str
    game: str
    you: int | None
    started_at: str
    ended: bool
    moves: list[RecordedMove]
    scores: list[int] | None
    winners: list[int] | None
    seats: list[SeatRecord] | None


class MoveThatScored(BaseModel):
    """A move that changed the points: by how much, seat by seat. `number` counts decisions, chance left out."""

    ply: int
    number: int
    seat: int
    gains: list[int]


class MoveThatLed(BaseModel):
    """The move with which the leaders at the end came into the lead for good."""

    ply: int
    number: int
    seat: int
    leaders: list[int]


class MatchCourse(BaseModel):
    """What decided a match that is over: its moves say it, and nothing else is looked at."""

    you: int | None
    scores: list[int]
    winners: list[int]
    decisions: int
    lead: MoveThatLed | None
    lead_changes: int
    scored: list[MoveThatScored]


class DiceRecord(BaseModel):
    """All that is needed to draw every die of a finished match again."""

    match: str
    game: str
    commitment: str
    seed: str
    moves: list[str]


@dataclass(frozen=True, slots=True)
class Viewed:
    """A match and the one who looks at it."""

    match: Match
    game: Game
    identity: Identity
    names: Mapping[int, str]
    """Pseudonyms by person, for researchers alone."""
    judges: Collection[Judge]
    """Those who may still judge this match."""

    @property
    def seat(self) -> MatchSeat | None:
        return next((seat for seat in self.match.seats if seat.person_id == self.identity.person_id), None)

    @property
    def researcher(self) -> bool:
        return self.identity.role.includes(Role.RESEARCHER)

    @property
    def judges_still(self) -> bool:
        """Whether the viewer has played and can still answer who was who."""
        return Judge(self.match.id, self.identity.person_id) in self.judges

    @property
    def knows_all(self) -> bool:
        """Researchers know who was who; but who plays, judges as blindly as everybody."""
        return self.researcher and not self.judges_still

    @property
    def plays(self) -> bool:
        """Whether the viewer is in the middle of it."""
        return self.match.ended_at is None and self.seat is not None and self.seat.replaced_at is None

    @property
    def left(self) -> bool:
        """Whether a stand-in plays on for the viewer, who is to be told so and nothing else."""
        replaced = self.seat is not None and self.seat.replaced_at is not None
        return replaced and self.match.ended_at is None and not self.researcher

    @property
    def may_replay(self) -> bool:
        """Participants when it is over; researchers always, unless they play in it themselves."""
        return self.match.ended_at is not None or (self.researcher and not self.plays)


async def look_at(session: AsyncSession, match_id: int, identity: Identity) -> Viewed:
    """The match, if this person may know of it at all. Raises NotFound."""
    query = select(Match).where(Match.id == match_id).options(selectinload(Match.seats), selectinload(Match.moves))
    match = await session.scalar(query) if 0 < match_id < 2**63 else None
    if match is None:
        raise NotFound
    researcher = identity.role.includes(Role.RESEARCHER)
    names = await pseudonyms(session, [match]) if researcher else {}
    judges = await judges_of(session, [match.id])
    viewed = Viewed(match, await open_game(session, match.game), identity, names, judges)
    if viewed.seat is None and not viewed.researcher:
        raise NotFound
    return viewed


def replay_of(viewed: Viewed) -> MatchReplay:
    """Raises Conflict while the viewer may not see it yet."""
    _require_replayable(viewed)
    match, own = viewed.match, viewed.seat.seat if viewed.seat else None
    timed_of = own if viewed.judges_still else None
    return MatchReplay(
        match=str(match.id),
        game=match.game,
        you=own,
        started_at=match.starts_at.isoformat(),
        ended=match.ended_at is not None,
        moves=[
            RecordedMove(ply=move.ply, seat=move.seat, move=move.move, ms=told_ms(move, timed_of))
            for move in match.moves
        ],
        scores=match.scores,
        winners=match.winners,
        seats=[_seat_record(seat) for seat in match.seats] if viewed.knows_all else None,
    )


async def course_of(viewed: Viewed) -> MatchCourse:
    """Raises Conflict before the end."""
    match = viewed.match
    if match.ended_at is None:
        raise Conflict(N_("A match can be seen again when it is over."))
    moves = [move.move for move in match.moves]
    told = await asyncio.to_thread(course, viewed.game, moves)  # some games take long over hundreds of positions
    return MatchCourse(
        you=viewed.seat.seat if viewed.seat else None,
        scores=match.scores or [],
        winners=match.winners or [],
        decisions=told.decisions,
        lead=None if told.lead is None else MoveThatLed.model_validate(told.lead._asdict()),
        lead_changes=told.lead_changes,
        scored=[MoveThatScored.model_validate(one._asdict()) for one in told.scored],
    )


def told_ms(move: MatchMove, timed_of: int | None) -> int | None:
    """The time of a move; only that of one seat if there is one to whose person others' times are not told yet."""
    return move.ms if timed_of in (None, move.seat) else None


def may_know_seed(match: Match, person_id: int, judges: Collection[Judge]) -> bool:
    """Whether a person may be told the seed: it would tell the dice to come, and nobody needs it to judge.

    In matches of versions before secrets, programs' thinking times were drawn from the seed, too; there it is told when
    nobody at the table can answer any more.
    """
    if match.ended_at is None:
        return False
    if match.secret == match.dice_seed:
        return not any(judge.match == match.id for judge in judges)
    return Judge(match.id, person_id) not in judges


def dice_of(viewed: Viewed) -> DiceRecord:
    """Raises Conflict as long as the viewer may not know the seed."""
    match = viewed.match
    if match.ended_at is None:
        raise Conflict(N_("The dice of a match can be checked when it is over."))
    if not may_know_seed(match, viewed.identity.person_id, viewed.judges):
        raise Conflict(N_("The dice of a match can be checked when the questionnaire about it is answered or closed."))
    return DiceRecord(
        match=str(match.id),
        game=match.game,
        commitment=match.commitment,
        seed=match.dice_seed.hex(),
        moves=[move.move for move in match.moves],
    )


def book_of(viewed: Viewed) -> str:
    """The match as a game play book; only researchers read in it who was who."""
    _require_replayable(viewed)
    return match_book(
        viewed.match,
        viewed.names if viewed.knows_all else None,
        seed_told=may_know_seed(viewed.match, viewed.identity.person_id, viewed.judges),
        timed_of=viewed.seat.seat if viewed.judges_still and viewed.seat else None,
    )


def require_judged(viewed: Viewed) -> None:
    """Before a viewer is told who was who. Raises Conflict."""
    if viewed.judges_still:
        raise Conflict(N_("You played in this match: please answer its questionnaire first."))


async def pseudonyms(session: AsyncSession, matches: Iterable[Match]) -> dict[int, str]:
    """Of everybody who sat in these matches."""
    persons = {seat.person_id for match in matches for seat in match.seats} - {None}
    query = select(Person.id, Person.pseudonym).where(Person.id.in_(persons))
    return dict((await session.execute(query)).all())


def match_book(
    match: Match, names: Mapping[int, str] | None, *, seed_told: bool = True, timed_of: int | None = None
) -> str:
    """As a game play book. Without names it does not tell who was who. The process must know the match's game.

    The seed of a match that is not over is never told; times are told of all seats, or of one.
    """
    game: Game = find_game(match.game)
    texts = [move.move for move in match.moves]
    seats = ", ".join(game.seats if names is None else [_seat_name(seat, names) for seat in match.seats])
    headers = (
        *standard_headers(game, replay(game, game.start(), texts).position, seats, match.starts_at.isoformat()),
        ("Match", str(match.id)),
        ("Software", match.software),
        ("Commitment", match.commitment),
        *([("DiceSeed", match.dice_seed.hex())] if match.ended_at and seed_told else []),
    )
    timed = [TimedMove(game.move(m.move), None if m.seat == CHANCE else told_ms(m, timed_of)) for m in match.moves]
    return write_book(record(game, timed, headers))


def _require_replayable(viewed: Viewed) -> None:
    if not viewed.may_replay:
        raise Conflict(N_("A match can be seen again when it is over."))


def _seat_record(seat: MatchSeat) -> SeatRecord:
    return SeatRecord(
        seat=seat.seat,
        person=seat.person_id is not None,
        strategy=seat.strategy,
        replaced=seat.replaced_at is not None,
    )


def _seat_name(seat: MatchSeat, names: Mapping[int, str]) -> str:
    """A person by pseudonym, a program by its strategy, a stand-in by both."""
    person = names[seat.person_id] if seat.person_id is not None else ""
    return " then ".join(part for part in (person, seat.strategy or "") if part)


@streams("matches")
async def my_matches(session: AsyncSession, person_id: int) -> AsyncIterator[bytes]:
    """Every match of a person, as books that name nobody; a few at a time, written beside the event loop."""
    mine = select(MatchSeat.match_id).where(MatchSeat.person_id == person_id)
    query = (
        select(Match)
        .where(Match.id.in_(mine), Match.ended_at.is_not(None))
        .options(selectinload(Match.seats), selectinload(Match.moves))
        .order_by(Match.id)
        .limit(WRITTEN_AT_ONCE)
    )
    after = 0
    while matches := (await session.scalars(query.where(Match.id > after))).all():
        for reference in {match.game for match in matches}:
            await open_game(session, reference)
        judges = await judges_of(session, [match.id for match in matches])
        for entry in await asyncio.to_thread(_my_matches, matches, person_id, judges):
            yield entry
        after = matches[-1].id


def _my_matches(matches: Iterable[Match], person_id: int, judges: Collection[Judge]) -> list[bytes]:
    return [json.dumps(_my_match(match, person_id, judges), ensure_ascii=False).encode() for match in matches]


def _my_match(match: Match, person_id: int, judges: Collection[Judge]) -> JsonValue:
    seat = next(seat.seat for seat in match.seats if seat.person_id == person_id)
    book = match_book(
        match,
        None,
        seed_told=may_know_seed(match, person_id, judges),
        timed_of=seat if Judge(match.id, person_id) in judges else None,
    )
    return {"match": match.id, "seat": seat, "book": book}


@gathered(ConsentKind.PLAY_DATA, "matches")
async def number_of_matches(session: AsyncSession, person_id: int) -> int:
    return await session.scalar(select(func.count()).where(MatchSeat.person_id == person_id)) or 0
