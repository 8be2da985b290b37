"""Uploading a rule base: checked, tried out, put into play; what is broken is refused with its line."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from games import registry
from npc.composed import strategy
from npc.prolog import use_host, vocabulary_of
from npc.prolog.memory import SESSIONS
from server.accounts.models import Person
from server.base.clock import now
from server.base.settings import Settings
from server.exports.service import Wanted, export
from server.exports.tables import chosen
from server.live.config import LiveConfig
from server.live.models import MatchEvent, MatchMove, MatchSeat
from server.matchmaking.seating import Seating
from server.matchmaking.selection import Request, Selection
from server.programs.engine import EngineOnDemand, offer_engine
from server.rule_bases.hints import hint_for
from server.rule_bases.models import RuleBaseRow
from server.rule_bases.repository import playing, plays_by_lot, scripts
from server.rule_bases.trial import try_out
from server.storage.database import Database
from tests.games.selection import VARIED
from tests.server.questionnaires.conftest import as_person, beginning_of_a_game, played_match
from tests.servers import PageClient

JOSTLE = registry.game("jostle")
TIC_TAC_TOE = registry.game("tic-tac-toe")
WORDS = vocabulary_of(JOSTLE)
GOOD = f"% The tidy one\n{WORDS.script_of(strategy('Observing PALS', JOSTLE))}"
LOST = "% The silent one\nmove(_, _) :- fail.\n"
SILENT = "% The silent one\nmove(_) :- fail.\n"
FIRST = "% First come\nworth([First|_], First).\n"


@pytest.fixture
def offered_engine() -> Iterator[None]:
    """As in a process of programs."""
    offer_engine()
    yield
    SESSIONS.clear()
    use_host(None)


@pytest.mark.usefixtures("offered_engine")
def test_a_trial_counts_every_lost_decision() -> None:
    good, lost = try_out(GOOD, JOSTLE), try_out(LOST, JOSTLE)
    assert (good.lost, good.faults) == (0, [])
    assert good.decisions > 10
    assert lost.lost > 10
    assert lost.faults and "failed" in lost.faults[0]


class CountingEngine(EngineOnDemand):
    """Counts the sessions: a script has one for every seat that it is asked for."""

    def __init__(self) -> None:
        self.sessions = 0

    def copy(self, instance: int) -> int:
        self.sessions += 1
        return super().copy(instance)


@pytest.mark.usefixtures("offered_engine")
@pytest.mark.parametrize(("reference", "script"), [("jostle", LOST), ("tic-tac-toe", SILENT), ("tricks", SILENT)])
def test_a_trial_asks_the_script_for_its_own_seat_alone(reference: str, script: str) -> None:
    """It was asked for all seats, so it cost three times as much, and turns without a choice counted as decisions."""
    engine = CountingEngine()
    use_host(engine)
    game = registry.game(reference)
    lost = try_out(script, game)
    assert engine.sessions == 1
    assert 0 < lost.lost <= lost.decisions
    assert len(lost.opponents) == len(game.seats) - 1
    assert len(lost.scores) == len(game.seats)


@pytest.mark.usefixtures("offered_engine")
@pytest.mark.parametrize("reference", [reference for reference in VARIED if "jostle" not in reference])
def test_a_script_in_the_words_of_any_game_plays_every_game_to_its_end(reference: str) -> None:
    assert try_out(FIRST, registry.game(reference)).lost == 0
    silent = try_out(SILENT, registry.game(reference))
    assert silent.lost == silent.decisions > 0


async def test_a_script_is_uploaded_and_put_into_play(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "researcher")
    answer = await client.post("/research/rule-bases", data={"script": GOOD})
    assert answer.status_code == 303
    page = answer.headers["location"]
    row = (await session.scalars(select(RuleBaseRow))).one()
    assert row.name == f"The tidy one (rule base {row.id})"
    assert await playing(session, JOSTLE.reference) == ()
    shown = (await client.get(page)).text
    assert "Longest decision" in shown
    told = f"{row.trial['slowest_ms']} of {row.trial['allowed_ms']} ms"
    assert told in shown, "and what a table would wait for"
    await client.post(page, data={"playing": "true"})
    assert await playing(session, JOSTLE.reference) == (row.name,)
    assert (await scripts(session, [row.name, "PALS"])) == {row.name: GOOD}
    listed = (await client.get("/research/rule-bases")).text
    assert "The tidy one" in listed
    assert all(head.partition("(")[0] in listed for head in (*WORDS.meanings, *WORDS.facts))
    assert (await client.post(f"{page}/discard")).status_code == 409, "what is in play stays"
    german = await client.get(f"/research/rule-bases?like={row.id}", headers={"accept-language": "de"})
    assert "The tidy one" in german.text
    assert "problems" not in german.text, "nothing went wrong, so nothing is told"


async def test_a_rule_base_that_lost_decisions_says_why_and_can_be_deleted(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "researcher")
    script = "% Misspelt\nmove(Owner, Best) :- movablePices(Owner, [Best|_]).\n"
    page = (await client.post("/research/rule-bases", data={"script": script})).headers["location"]
    shown = (await client.get(page)).text
    assert "Did you mean movablePieces/2?" in shown
    assert "People would judge the lot" in shown
    assert "Put into play" not in shown
    refused = await client.post(page, data={"playing": "true"}, headers={"accept-language": "de"})
    assert refused.status_code == 409
    assert "Die Menschen würden das Los beurteilen" in refused.text
    assert await playing(session, JOSTLE.reference) == ()
    row = (await session.scalars(select(RuleBaseRow))).one()
    row.playing = True  # as an earlier version allowed
    await session.commit()
    assert await playing(session, JOSTLE.reference) == (), "it sits at no new table"
    assert (await client.post(page, data={"playing": "false"})).status_code == 303
    assert (await client.post(f"{page}/discard")).status_code == 303
    assert (await session.scalars(select(RuleBaseRow))).all() == []


@pytest.mark.parametrize(
    ("decisions", "lost", "by_lot"), [(35, 35, True), (35, 18, True), (34, 17, False), (35, 1, False), (0, 0, False)]
)
def test_what_lost_more_than_half_of_its_decisions_plays_by_lot(decisions: int, lost: int, by_lot: bool) -> None:
    assert plays_by_lot(RuleBaseRow(trial={"decisions": decisions, "lost": lost})) == by_lot


@pytest.mark.parametrize(
    ("fault", "hint"),
    [
        ("threw: error(existence_error(procedure,worth/2),worth/2) (35 times)", "worth(Choices, Choice)"),
        ("threw: error(existence_error(procedure,ahed/2),ahed/2)", "ahead"),
        ("threw: error(existence_error(procedure,movable/7),movable/7)", "movable/1"),
        ("threw: error(existence_error(procedure,entirely/2),entirely/2)", "neither in your script"),
        ("failed: move/2 has no solution (31 times)", "at least one rule"),
        ("wrong answer: [5,1,0] is none of its pieces (2 times)", "[Field, Piece, Owner]"),
        ("syntax error, incomplete statement, lines 1 to 2", "full stop"),
    ],
)
def test_faults_are_explained_in_plain_words(fault: str, hint: str) -> None:
    found = hint_for(fault, "% x\nahead([F, _, _], R) :- R is -F.\n", WORDS)
    assert found is not None
    assert hint in found[0] % found[1]


@pytest.mark.parametrize(
    ("script", "reason"), [("% x\nmove(_, _) :- ,.\n", "line"), ("", "text in Prolog"), ("%" * 70_000, "bytes")]
)
async def test_what_cannot_be_loaded_is_refused_with_a_reason(
    client: PageClient, session: AsyncSession, settings: Settings, script: str, reason: str
) -> None:
    await as_person(client, session, settings, "researcher")
    answer = await client.post("/research/rule-bases", data={"script": script})
    assert answer.status_code == 422
    assert reason in answer.text
    assert (await session.scalars(select(RuleBaseRow))).all() == []


async def test_faults_in_matches_are_shown_to_the_author(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "researcher")
    page = (await client.post("/research/rule-bases", data={"script": GOOD})).headers["location"]
    row = (await session.scalars(select(RuleBaseRow))).one()
    match = await played_match(session)
    seat = await session.get_one(MatchSeat, (match.id, 1))
    seat.strategy = row.name
    details = {"ply": 7, "fault": "threw: zero_divisor"}
    session.add(MatchEvent(match_id=match.id, seat=1, at=now(), kind="rule_base_fault", details=details))
    await session.commit()
    assert "zero_divisor" in (await client.get(page)).text


async def test_rule_bases_are_for_researchers(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await as_person(client, session, settings)
    assert (await client.get("/research/rule-bases")).status_code == 403
    assert (await client.post("/research/rule-bases", data={"script": GOOD})).status_code == 403


async def test_a_rule_base_belongs_to_the_game_it_was_uploaded_for(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "researcher")
    form = (await client.get("/research/rule-bases?game=tic-tac-toe")).text
    assert "legalMoves(Moves)" in form
    assert "movablePieces" not in form
    page = (await client.post("/research/rule-bases?game=tic-tac-toe", data={"script": FIRST})).headers["location"]
    await client.post(page, data={"playing": "true"})
    row = (await session.scalars(select(RuleBaseRow))).one()
    assert (row.game, row.trial["lost"]) == (TIC_TAC_TOE.reference, 0)
    assert await playing(session, TIC_TAC_TOE.reference) == (row.name,)
    assert await playing(session, JOSTLE.reference) == ()
    assert row.name in (await client.get("/research/rule-bases?game=tic-tac-toe")).text
    assert row.name not in (await client.get("/research/rule-bases")).text
    assert (await client.get("/research/rule-bases?game=nothing")).status_code == 404


async def test_a_script_that_stands_in_leaves_its_name_in_books_and_exports(
    app: FastAPI, client: PageClient, session: AsyncSession, database: Database, settings: Settings, tmp_path: Path
) -> None:
    """It left its whole script in the seat, whose line ends no book can hold; the export of all books died with it."""
    await as_person(client, session, settings, "researcher")
    await client.post("/research/rule-bases", data={"script": GOOD})
    row = (await session.scalars(select(RuleBaseRow))).one()
    person = Person(pseudonym="leaves-soon", created_at=now())
    session.add(person)
    await session.flush()

    async def all_but_one_sit(_: AsyncSession, __: Request, ___: random.Random) -> Selection:
        return Selection(("ADVANCER", "PALS", row.name), (0, 1))

    patient = LiveConfig(start_delay=timedelta(hours=1))
    match = await Seating(patient, all_but_one_sit).seat(session, [person.id], game=JOSTLE.reference)
    left = next(seat.seat for seat in match.seats if seat.person_id is not None)
    await session.commit()
    house = app.state.live.house
    table = await house.table(match.id)
    await house.clockwork.replace(table, left, "grace")
    seat = await session.get_one(MatchSeat, (match.id, left), populate_existing=True)
    assert (seat.strategy, seat.replaced_at is not None) == (row.name, True)

    book = await client.get(f"/matches/{match.id}/book")
    assert book.status_code == 200
    assert f"leaves-soon then {row.name}" in book.text
    moves, position = beginning_of_a_game()
    session.add_all(
        MatchMove(match_id=match.id, ply=ply, seat=mover, move=move, source="server", ms=1, at=now())
        for ply, (mover, move) in enumerate(moves)
    )
    match.ply, match.position, match.starts_at, match.ended_at = len(moves), position.text(), match.created_at, now()
    await session.commit()
    await export(database, Wanted(chosen(["matches"]), books=True), tmp_path / "out")
    assert row.name in (tmp_path / "out" / "books" / f"{match.id}.book").read_text()
