"""The replay viewer: decisions computed again are the ones that were played, and nobody but researchers reads them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import cache

import pytest
from sqlalchemy import select, update
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from games import registry
from games.dice import draw
from games.protocol import CHANCE, OVER
from npc.follower import Follower
from npc.players import player
from server.base.clock import now
from server.base.settings import Settings
from server.jobs.processes import LastingProcesses
from server.jobs.registry import JOBS, SCHEDULE, Tools, load_jobs
from server.live.models import Match, MatchDecision, MatchMove, MatchSeat
from server.programs.service import Programs
from server.storage.database import Database
from server.viewer.choices import choices, decisions_behind
from server.viewer.explaining import Decisions, Member, Played, explain
from tests.server.exports.test_export import answered_match
from tests.server.questionnaires.conftest import as_person, played_match
from tests.servers import PageClient

MEMBERS = tuple(
    Member(f"composed:{name}", name, seed)
    for name, seed in (("ADVANCER", "one"), ("Observing PALS", "two"), ("RANDOMIZER", "three"))
)
FIRST_COME = Member("prolog:% First come\nworth([Choice|_], Choice).\n", "First come (rule base 1)", "s")
GREEDY = tuple(Member(f"composed:{name}", name, "g") for name in ("GREEDY", "Winning RANDOMIZER"))


@pytest.fixture
async def programs() -> AsyncIterator[Programs]:
    async with Programs() as running:
        yield running


@cache
def played_by(reference: str, members: Sequence[Member], plies: int = 150) -> tuple[str, ...]:
    """A game in which member n plays seat n."""
    game = registry.game(reference)
    followers = [
        Follower(game, player(member.player, reference), member.seed, seat if game.secrets else None)
        for seat, member in enumerate(members)
    ]
    position, texts = game.start(), list[str]()
    while len(texts) < plies and position.to_act != OVER:
        if position.to_act == CHANCE:
            moves = [draw(bytes(32), len(texts), position)]
        else:
            moves = [followers[seat].decide(seat).move for seat in position.acting]
        texts += map(str, moves)
        for follower in followers:
            follower.follow(moves)
        position = followers[0].position
    return tuple(texts)


def match_of(
    reference: str,
    members: Sequence[Member],
    moves: Sequence[str],
    seated: Mapping[int, int],
    stored: Decisions | None = None,
) -> Played:
    """All moves of seats with a member came from programs, all others from persons."""
    game = registry.game(reference)
    position, sources = game.start(), list[tuple[str, str]]()
    for text in moves:
        sources.append((text, "server" if position.to_act in seated else "person"))
        position = position.play(game.move(text))
    return Played(reference, "", game.secrets, members, seated, sources, stored or {})


async def test_every_decision_of_a_program_is_explained_and_was_really_played(programs: Programs) -> None:
    moves = played_by("jostle", MEMBERS)
    found = await explain(programs, match_of("jostle", MEMBERS, moves, {0: 0, 1: 1, 2: 2}))
    assert len(found.explained) > 20
    assert all(decision.played for decision in found.explained)
    assert {decision.strategy for decision in found.explained} == {member.name for member in MEMBERS}
    assert all(decision.words for decision in found.explained)
    by_ply: dict[int, list[str]] = {}
    for alternative in found.alternatives:
        by_ply.setdefault(alternative.ply, []).extend(alternative.strategies)
    assert all(sorted(names) == sorted(member.name for member in MEMBERS) for names in by_ply.values())
    chosen = {(one.ply, name): one.move for one in found.alternatives for name in one.strategies}
    assert all(chosen[one.ply, one.strategy] == one.move for one in found.explained)


@pytest.mark.parametrize("reference", ["tic-tac-toe:standard", "tricks:standard", "ten:standard"])
async def test_any_game_is_explained_also_where_seats_choose_at_once(programs: Programs, reference: str) -> None:
    moves = played_by(reference, GREEDY)
    found = await explain(programs, match_of(reference, GREEDY, moves, {0: 0, 1: 1}))
    assert {decision.seat for decision in found.explained} == {0, 1}
    assert all(decision.played and moves[decision.ply] == decision.move for decision in found.explained)


async def test_what_each_move_seemed_worth_is_told_the_best_first(programs: Programs) -> None:
    members = (Member("mcts:simulations=30", "mcts:simulations=30", "s"), GREEDY[0])
    moves = played_by("tic-tac-toe:standard", members)
    found = await explain(programs, match_of("tic-tac-toe:standard", members, moves, {0: 0, 1: 1}))
    searched = [one for one in found.explained if one.seat == 0]
    assert all(one.played and one.words.startswith("Saw 30 games; ") for one in searched)
    for one in searched:
        assert one.move in [move for move, _ in one.values]
        assert [value for _, value in one.values] == sorted((value for _, value in one.values), reverse=True)
        assert one.visits.keys() == {move for move, _ in one.values}
        assert sum(one.visits.values()) == 30, "every game began with one of them"
    assert all(one.values == [] and one.visits == {} for one in found.explained if one.seat == 1), (
        "GREEDY does not tell"
    )


async def test_a_person_is_not_explained(programs: Programs) -> None:
    found = await explain(programs, match_of("jostle", MEMBERS, played_by("jostle", MEMBERS), {1: 1}))
    assert {decision.seat for decision in found.explained} == {1}
    assert found.alternatives, "but what the panel would have done is told for every choice"


async def test_what_was_stored_is_told_and_only_the_rest_is_to_be_stored(programs: Programs) -> None:
    moves = played_by("jostle", MEMBERS)
    fresh = await explain(programs, match_of("jostle", MEMBERS, moves, {1: 1}))
    assert len(fresh.computed) == len(fresh.explained)
    kept = dict(list(fresh.computed.items())[:3])
    stored = {key: decision | {"explanation": "As it was then."} for key, decision in kept.items()}
    found = await explain(programs, match_of("jostle", MEMBERS, moves, {1: 1}, stored))
    assert [one.words for one in found.explained].count("As it was then.") == 3
    assert found.computed.keys() == fresh.computed.keys() - stored.keys()


async def test_a_rule_base_is_called_by_its_name_and_not_by_its_script(programs: Programs) -> None:
    members = (FIRST_COME, *MEMBERS[1:])
    found = await explain(programs, match_of("jostle", members, played_by("jostle", MEMBERS), {0: 0}))
    assert {decision.strategy for decision in found.explained} == {FIRST_COME.name}
    assert {name for one in found.alternatives for name in one.strategies} >= {FIRST_COME.name}


FRESH = """
import asyncio
from server.programs.service import Programs
from server.viewer.explaining import explain
from tests.server.viewer.test_viewer import FIRST_COME, MEMBERS, match_of, played_by

async def read():
    members = (FIRST_COME, *MEMBERS[1:])
    async with Programs() as programs:
        found = await explain(programs, match_of("jostle", members, played_by("jostle", MEMBERS), {0: 0}))
    print(sum("lost" in one.words for one in found.explained), "lost of", len(found.explained))

asyncio.run(read())
"""


def test_a_fresh_process_shows_what_a_rule_base_decided() -> None:
    """It read "lost" (no engine) there for every decision, because nobody had started the engine."""
    done = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, text=True, check=True)
    lost, of = done.stdout.splitlines()[-1].split(" lost of ")
    assert int(lost) == 0
    assert int(of) > 10


async def test_a_player_that_cannot_be_computed_is_left_out(programs: Programs) -> None:
    nobody = Member("composed:NOBODY", "NOBODY", "n")
    moves = played_by("jostle", MEMBERS)
    found = await explain(programs, match_of("jostle", (nobody, *MEMBERS[1:]), moves, {0: 0, 1: 1}))
    assert {decision.seat for decision in found.explained} == {1}
    assert all("NOBODY" not in one.strategies for one in found.alternatives)


async def proposed_match(session: AsyncSession) -> int:
    """A match whose seat 1 is a program that browsers computed."""
    match = await played_match(session)
    row = await session.get_one(Match, match.id)
    row.panel = [{"player": member.player, "name": member.name, "seed": member.seed} for member in MEMBERS]
    seat = await session.get_one(MatchSeat, (match.id, 1))
    seat.member, seat.strategy = 2, "RANDOMIZER"
    own = (MatchMove.match_id == match.id, MatchMove.seat == 1)
    await session.execute(update(MatchMove).where(*own).values(source="proposal"))
    await session.commit()
    return match.id


async def stored_decisions(session: AsyncSession) -> list[MatchDecision]:
    return list(await session.scalars(select(MatchDecision).order_by(MatchDecision.ply)))


async def test_accepted_proposals_are_stored_when_they_are_first_read(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    address = f"/api/research/matches/{await proposed_match(session)}/notes"
    await as_person(client, session, settings, "researcher")
    explained = (await client.get(address)).json()["explained"]
    stored = await stored_decisions(session)
    assert [(one["ply"], one["words"]) for one in explained] == [
        (one.ply, one.decision["explanation"]) for one in stored
    ]
    assert stored
    assert {(one.seat, one.player) for one in stored} == {(1, "RANDOMIZER")}
    assert (await client.get(address)).json()["explained"] == explained


async def test_accepted_proposals_are_stored_by_a_job_once_the_match_is_over(
    session: AsyncSession, settings: Settings, database: Database, programs: Programs
) -> None:
    """Before anybody reads them, and the same that whoever reads them first would have stored."""
    load_jobs()
    match = await proposed_match(session)
    with LastingProcesses(1) as processes:
        tools = Tools(settings, database, processes)
        await session.execute(update(Match).where(Match.id == match).values(ended_at=None))
        await session.commit()
        await SCHEDULE["viewer.follow"][1](tools)
        assert await asked_for(session) == [], "it is still being played"
        await session.execute(update(Match).where(Match.id == match).values(ended_at=now()))
        await session.commit()
        for _ in range(2):
            await SCHEDULE["viewer.follow"][1](tools)
        assert await asked_for(session) == [{"match": match}], "once"
        await JOBS["viewer.explain"](tools, {"match": match})
        stored = {(one.ply, one.seat): one.decision for one in await stored_decisions(session)}
        await session.execute(sql("DELETE FROM pgqueuer"))
        await session.commit()
        await SCHEDULE["viewer.follow"][1](tools)
        assert await asked_for(session) == [], "nothing is missing any more"
    row = await session.scalar(select(Match).where(Match.id == match).options(selectinload(Match.moves)))
    assert row is not None
    proposed = [move.ply for move in row.moves if move.source == "proposal"]
    assert [ply for ply, _ in sorted(stored)] == proposed
    moves = [(move.move, move.source) for move in row.moves]
    found = await explain(programs, Played(row.game, "", False, MEMBERS, {1: 2}, moves, {}))
    assert found.computed
    assert found.computed.items() <= stored.items()


async def asked_for(session: AsyncSession) -> list[object]:
    jobs = await session.scalars(sql("SELECT payload FROM pgqueuer WHERE entrypoint = 'viewer.explain'"))
    return [json.loads(payload) for payload in jobs]


def test_seats_that_choose_at_once_were_asked_at_the_ply_of_the_first() -> None:
    moves = played_by("gdl:bids", (Member("composed:GREEDY", "GREEDY", "g"),) * 2, plies=6)
    asked = choices("gdl:bids", "", moves)
    late = next((ply, seat, moved) for ply, seat, moved in asked if moved > ply)
    assert [found[:2] for found in decisions_behind("", "composed:GREEDY", "gdl:bids", "g", [late[2]], moves)] == [
        late[:2]
    ]


async def test_verdicts_are_told_to_researchers_alone(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await answered_match(session, aim="to win")
    await as_person(client, session, settings, "researcher")
    notes = (await client.get("/api/research/matches/1/notes")).json()
    assert [(judged["seat"], judged["verdict"], judged["right"], judged["aim"]) for judged in notes["judged"]] == [
        (1, "artificial", True, "to win"),
        (2, "artificial", False, "to win"),
    ]
    assert "Observing PALS" in (await client.get("/research/matches")).text
    assert (await client.get("/research/matches?strategy=nobody")).text.count("<tr>") == 2
    page = await client.get("/research/matches/1")
    assert 'href="/research/strategies/Observing%20PALS"' in page.text
    assert 'href="/research/persons/' in page.text
    assert (await client.get("/api/research/matches/99/notes")).status_code == 404
    await as_person(client, session, settings)
    for path in ("/api/research/matches/1/notes", "/research/matches", "/research/matches/1", "/research/replay"):
        assert (await client.get(path)).status_code == 403, path
