"""Researchers create tournaments, workers play them, everybody reads what is public, and kill -9 loses nothing."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import psutil
import pytest
from distributed import LocalCluster
from sqlalchemy import func, select, text

from games.book import read_book, replay
from games.registry import game
from lab.cluster import ADDRESS_VARIABLE
from lab.tournaments.contest import Challenge
from lab.tournaments.running import Tournament as PureTournament
from lab.tournaments.running import from_record, play_all, prepared
from server.accounts.audit import recent_entries
from server.base.settings import Settings
from server.jobs.registry import Tools, load_jobs
from server.storage.database import Database, plain_url
from server.tournaments import playing, repository, service, tasks
from server.tournaments.models import Status, Tournament, TournamentChallenge
from server.tournaments.playing import JOB, take_turn
from tests.conftest import SignIn
from tests.server.rounds.conftest import run_jobs
from tests.server.rounds.test_kills import FUNCTION, GATE, kill, somebody_waits
from tests.servers import PageClient
from tests.workers import running_worker

GAME = "tic-tac-toe:standard"
ENTRANTS = ("composed:RANDOMIZER", "composed:GREEDY", "composed:Winning RANDOMIZER", "composed:Winning GREEDY")
FORM = {"name": "Spring", "game": GAME, "form": "swiss", "rounds": "3", "seed": "7", "entrants": "\n".join(ENTRANTS)}


@pytest.fixture
def tools(settings: Settings, database: Database) -> Iterator[Tools]:
    """Computations happen in threads, which start faster than processes."""
    load_jobs()
    with ThreadPoolExecutor(2) as pool:
        yield Tools(settings, database, pool)


async def new(database: Database, form: str = "round-robin", rounds: int = 2) -> int:
    async with database.transaction() as session:
        made = await service.create(
            session, "tests", name="Spring", game=GAME, entrants=ENTRANTS, form=form, rounds=rounds, seed="7"
        )
        return made.id


async def find(database: Database, number: int) -> Tournament:
    async with database.sessions() as session:
        found = await repository.find(session, number)
    assert found is not None
    return found


async def records(database: Database, number: int) -> list[TournamentChallenge]:
    async with database.sessions() as session:
        return await repository.challenges(session, number, most=10_000)


def pure(form: str, rounds: int) -> PureTournament:
    """The same tournament without a database and without any kill."""
    tournament = prepared(game(GAME), ENTRANTS, form, rounds, "7")
    with ThreadPoolExecutor(1) as pool:
        for challenges in tournament.rounds():
            tournament.played |= {one.challenge: one for one in play_all(pool, tournament.arena, challenges)}
    return tournament


async def assert_equal_to_pure(database: Database, number: int, form: str, rounds: int) -> None:
    wanted, rows = pure(form, rounds), await records(database, number)
    stored = {
        Challenge(tuple(row.entrants), row.world): from_record(
            {"entrants": row.entrants, "world": row.world, "matches": row.matches}
        )
        for row in rows
    }
    assert stored == wanted.played
    async with database.sessions() as session:
        past = await repository.past(session, number)
    assert [sorted(each) for each in past] == [sorted(each) for each in wanted.past]
    assert [row.number for row in rows] == list(range(1, len(rows) + 1)), "each once"


@pytest.mark.parametrize("form", ["round-robin", "swiss", "ladder", "uncertainty"])
async def test_a_tournament_is_played_to_its_end_like_the_pure_one(database: Database, tools: Tools, form: str) -> None:
    number = await new(database, form)
    assert set(await run_jobs(tools)) == {JOB}
    found = await find(database, number)
    assert found.status == Status.DONE and found.ended_at is not None
    await assert_equal_to_pure(database, number, form, 2)


async def test_turns_are_short_and_a_repeated_one_changes_nothing(database: Database, tools: Tools) -> None:
    number = await new(database)
    await take_turn(tools, number, 0, seconds=-1)
    assert (await find(database, number)).turn == 1, "there was no time for anything, so another turn follows"
    await take_turn(tools, number, 0)
    assert await records(database, number) == [], "the first turn is over"
    await take_turn(tools, number, 1)
    first = await records(database, number)
    await take_turn(tools, number, 1)
    assert [(one.number, one.played_at) for one in await records(database, number)] == [
        (one.number, one.played_at) for one in first
    ]
    assert len(first) == 6


async def test_pausing_stops_resuming_goes_on_and_the_minute_finds_what_was_forgotten(
    database: Database, tools: Tools
) -> None:
    number = await new(database)
    async with database.transaction() as session:
        await service.pause(session, "tests", number)
    await run_jobs(tools)
    assert await records(database, number) == []
    await tasks.follow(tools)
    assert await run_jobs(tools) == [], "it is paused"
    async with database.transaction() as session:
        await service.resume(session, "tests", number)
        await session.execute(text("DELETE FROM pgqueuer"))
    await tasks.follow(tools)
    await tasks.follow(tools)
    assert await run_jobs(tools, lambda _: True) == [JOB]
    await run_jobs(tools)
    await assert_equal_to_pure(database, number, "round-robin", 2)


async def test_a_researcher_creates_one_and_shows_it_to_everybody(
    client: PageClient, sign_in: SignIn, database: Database, tools: Tools
) -> None:
    await sign_in("researcher")
    page = (await client.get("/research/tournaments/new")).text
    assert GAME in page and "gdl:breakthrough" in page
    answer = await client.post("/research/tournaments", data=FORM)
    assert answer.status_code == 303, answer.text
    address = answer.headers["location"]
    number = int(address.rpartition("/")[2])
    await run_jobs(tools)
    page = (await client.get(address)).text
    assert "6 of at most 6 challenges played" in page and 'data-status="done"' in page
    assert all(entrant in page for entrant in ENTRANTS)
    assert "Spring" in (await client.get("/tournaments")).text
    async with database.sessions() as session:
        (entry, *_) = await recent_entries(session)
    assert (entry.action, entry.target) == ("tournament.create", f"{number} Spring")

    client.cookies.clear()
    for hidden in ("", "/challenges", "/challenges/1", "/challenges/1/book", "/standings.csv", "/challenges.jsonl"):
        assert (await client.get(address + hidden)).status_code == 404, hidden
    assert "Spring" not in (await client.get("/tournaments")).text
    async with database.transaction() as session:
        await service.publish(session, "tests", number)
    assert "Spring" in (await client.get("/tournaments")).text
    page = (await client.get(address)).text
    assert "/research/" not in page and "Pause" not in page, "whoever only reads is offered nothing else"

    shown = (await client.get(f"{address}/challenges/1?match=1")).text
    assert "data-replay" in shown
    assert (await client.get(f"{address}/challenges/1?match=2")).status_code == 404, "two sat at the table"
    book = (await client.get(f"{address}/challenges/1/book")).text
    assert replay(read_book(book)).over
    rows = list(csv.DictReader(io.StringIO((await client.get(f"{address}/standings.csv")).text)))
    assert sorted(row["text"] for row in rows) == sorted(ENTRANTS)
    assert sum(int(row["wins"]) for row in rows) == sum(int(row["losses"]) for row in rows)
    head, *lines = (await client.get(f"{address}/challenges.jsonl")).text.splitlines()
    assert json.loads(head)["entrants"] == list(ENTRANTS)
    assert {from_record(json.loads(line)) for line in lines} == set(pure("swiss", 3).played.values())
    one, other = json.loads(lines[0])["entrants"]
    assert "/challenges/1" in (await client.get(f"{address}/challenges?one={one}&other={other}")).text
    assert (await client.get(f"{address}/challenges?one=99")).status_code == 404


async def test_no_entrant_becomes_a_formula_in_the_table(
    client: PageClient, sign_in: SignIn, database: Database
) -> None:
    """Published tables are read by everybody, and German spreadsheets split at semicolons."""
    entrants = ("composed:RANDOMIZER", "prolog:worth([C|_],C). %;=HYPERLINK(1)", "prolog:worth([C|_],C). %|+1")
    async with database.transaction() as session:
        made = await service.create(
            session, "tests", name="Spring", game=GAME, entrants=entrants, form="swiss", rounds=1, seed="7"
        )
        number = made.id
    await sign_in("researcher")
    table = (await client.get(f"/tournaments/{number}/standings.csv")).text
    rows = list(csv.DictReader(io.StringIO(table)))
    assert {row["text"] for row in rows} == {
        "composed:RANDOMIZER",
        "prolog:worth([C|_],C). %;'=HYPERLINK(1)",
        "prolog:worth([C|_],C). %|'+1",
    }
    assert all(float(row["rating_low"]) <= float(row["rating"]) for row in rows), "numbers stay numbers"


async def test_bad_input_is_refused_with_what_is_wrong(client: PageClient, sign_in: SignIn, database: Database) -> None:
    await sign_in("researcher")
    await client.get("/research/tournaments/new")
    cases = {
        "entrants": ("composed:RANDOMIZER", "expected 2 to 64 entrants, and 1 came"),
        "game": ("gdl:nothing", "There is no game"),
        "rounds": ("0", "greater than or equal to 1"),
        "form": ("knock-out", "Please choose one of the options."),
        "precision": ("nan", "finite"),
    }
    for name, (value, reason) in cases.items():
        answer = await client.post("/research/tournaments", data=FORM | {name: value})
        assert answer.status_code in (404, 422) and reason in answer.text, (name, answer.text)
    for entrants, reason in (
        ("composed:RANDOMIZER\ncomposed:RANDOMIZER", "everybody enters once"),
        ("composed:RANDOMIZER\nnobody:7", "nobody:7"),
    ):
        answer = await client.post("/research/tournaments", data=FORM | {"entrants": entrants})
        assert answer.status_code == 422 and reason in answer.text
    answer = await client.post("/research/tournaments", data=FORM | {"form": "round-robin", "rounds": "100000"})
    assert "at most 100000 challenges" in answer.text
    async with database.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Tournament)) == 0
    assert (await client.post("/research/tournaments/1/explode")).status_code == 404


@pytest.mark.long
async def test_a_killed_worker_costs_nothing(database: Database, database_url: str, settings: Settings) -> None:
    """kill -9 while a challenge is being written; the next worker goes on, and every challenge is there once."""
    number = await new(database)
    connection = await asyncpg.connect(plain_url(database_url))
    await connection.execute(FUNCTION)
    await connection.execute(
        "CREATE TRIGGER gate AFTER UPDATE ON tournament_challenges FOR EACH ROW WHEN (NEW.number = 3)"
        " EXECUTE FUNCTION wait_at_the_gate()"
    )
    await connection.execute("SELECT pg_advisory_lock($1)", GATE)
    with running_worker(settings) as process:
        await somebody_waits(connection)
        orphans = kill(process)
    assert not psutil.wait_procs(orphans, timeout=30)[1], "the pool's processes end with their worker"
    await connection.execute("SELECT pg_advisory_unlock($1)", GATE)
    assert 3 not in [row.number for row in await records(database, number)]
    assert (await find(database, number)).status == Status.RUNNING
    with running_worker(settings):
        async with asyncio.timeout(120):
            while (await find(database, number)).status != Status.DONE:  # noqa: ASYNC110 - another process changes it
                await asyncio.sleep(0.05)
    await connection.close()
    await assert_equal_to_pure(database, number, "round-robin", 2)


async def test_a_cluster_plays_if_one_is_configured(
    database: Database, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = await new(database)
    nobody = Tools(tools.settings, tools.database, ThreadPoolExecutor(1))
    nobody.processes.shutdown()  # whoever asked these processes would fail
    with LocalCluster(  # type: ignore[no-untyped-call]  # dask has no types here
        n_workers=1, threads_per_worker=1, processes=False, scheduler_port=0, dashboard_address=None, silence_logs=50
    ) as cluster:
        monkeypatch.setenv(ADDRESS_VARIABLE, cluster.scheduler_address)
        await take_turn(nobody, number, 0)
    assert len(await records(database, number)) == 6, "the first round"


def test_pieces_of_work_find_their_engine() -> None:
    """Rule bases are asked in the processes of the worker as everywhere else."""
    script = "prolog:move(M) :- legal(R, M), role(R)."
    arena = prepared(game(GAME), (script, ENTRANTS[0]), "round-robin", 1, "7").arena
    (done,) = playing.play_piece(arena, [Challenge((0, 1), 0)])
    assert len(done.matches) == 2 and sum(done.sums) == 200
