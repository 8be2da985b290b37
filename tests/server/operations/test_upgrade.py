"""A database of the first migration, with data in it, comes to the newest schema without loss, and works there."""

from __future__ import annotations

import asyncio
import hashlib
import sys
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import httpx
import pytest
from itsdangerous import Signer
from pgqueuer.adapters.persistence.schema_ddl import render_install
from pgqueuer.domain.settings import DBSettings
from pydantic import SecretStr
from structlog.testing import capture_logs
from typer.testing import CliRunner

from games.book import read_book, replay
from games.protocol import OVER
from migrations import online
from server.accounts.sessions import COOKIE
from server.app import create_app
from server.base.settings import Settings
from server.cli.main import app as grintu
from server.questionnaires.content import Questionnaire
from server.questionnaires.repository import shipped
from server.storage import migrate as server_migrate
from server.storage.database import connect
from server.storage.migrate import SchemaTooNew, migrate, newest_revision
from server.study import consent
from server.study.settings import read_settings
from tests.conftest import BASE_URL, SECRET, _named
from tests.databases import drop_database
from tests.downloads import downloaded
from tests.people import PASSWORD
from tests.server.operations.upgrading import (
    CHAIN,
    DERIVED,
    HISTORY,
    LOSSES,
    OFFLINE,
    Rows,
    Step,
    grow,
    hazards,
    lost,
    meant,
    rows_of,
)
from tests.servers import PageClient

QUEUE_TABLES = "37330341e1a6aa56"
MIGRATE = "import sys; from server.storage.migrate import migrate; migrate(sys.argv[1])"


@pytest.fixture(scope="module")
async def old_url(postgres_url: str) -> AsyncIterator[str]:
    name = f"old_{uuid.uuid4().hex}"
    connection = await asyncpg.connect(postgres_url)
    await connection.execute(f'CREATE DATABASE "{name}"')
    yield _named(postgres_url, name)
    await drop_database(connection, name)
    await connection.close()


@pytest.fixture(scope="module")
async def steps(old_url: str) -> list[Step]:
    return await grow(old_url)


@pytest.fixture
async def old_study_url(postgres_url: str) -> AsyncIterator[str]:
    """A database of the first schema, without data."""
    name = f"empty_{uuid.uuid4().hex}"
    connection = await asyncpg.connect(postgres_url)
    await connection.execute(f'CREATE DATABASE "{name}"')
    await asyncio.to_thread(migrate, _named(postgres_url, name), CHAIN[0])
    yield _named(postgres_url, name)
    await drop_database(connection, name)
    await connection.close()


@pytest.fixture
async def old_client(old_url: str, steps: list[Step], tmp_path: Path) -> AsyncIterator[PageClient]:
    settings = Settings(
        _env_file=None,
        secret_key=SecretStr(SECRET),
        database_url=SecretStr(old_url),
        data_dir=tmp_path,
        base_url=BASE_URL,
    )
    app = create_app(settings)
    async with (
        app.router.lifespan_context(app),
        PageClient(transport=httpx.ASGITransport(app), base_url=BASE_URL) as client,
    ):
        yield client


def test_no_migration_loses_a_row_or_a_value(steps: list[Step]) -> None:
    assert {step.revision: step.lost for step in steps if step.lost} == {}
    first, last = steps[0], steps[-1]
    assert lost(meant(first.written, *CHAIN[1:]), last.written) == []
    assert all(first.written.values()), "the first schema had data in every table"


def test_every_table_had_data_from_its_first_day(steps: list[Step]) -> None:
    """Whoever adds a table adds rows to `history`, so that the migrations to come are tried with them."""
    empty = {
        step.revision: [table for table, rows in step.written.items() if not rows and table not in DERIVED]
        for step in steps
    }
    assert {revision: tables for revision, tables in empty.items() if tables} == {}
    assert {path.stem for path in HISTORY.glob("*.sql")} <= set(CHAIN)


def test_the_shipped_questionnaire_in_use_is_published_in_new_words(steps: list[Step]) -> None:
    """As it comes with the platform today; its next change needs a migration of its own, and a change here."""
    step = next(step for step in steps if step.revision == "20261118_22")
    kept = [row["state"] for row in step.after["questionnaire_versions"] if row["purpose"] == "after_match"]
    assert kept == ["retired", "retired", "retired", "published"]
    new = next(row for row in step.after["questionnaire_versions"] if row["state"] == "published")
    assert Questionnaire.model_validate(new["content"]) == shipped("after_match")
    assert new["number"] == 4
    researchers_own = [row for row in step.before["questionnaire_versions"] if row["author"] != "GRINTU"]
    assert all(row in step.after["questionnaire_versions"] for row in researchers_own)


def test_a_loss_would_be_noticed() -> None:
    before = {"persons": [{"id": 1, "pseudonym": "a"}, {"id": 2, "pseudonym": "b"}]}
    assert lost(before, {"persons": [{"id": 1, "pseudonym": "a", "new": None}, {"id": 2, "pseudonym": "c"}]}) == [
        ("persons", {"id": 2, "pseudonym": "b"})
    ]
    assert len(lost(before, {})) == 2


def test_a_change_that_is_not_meant_would_be_noticed(steps: list[Step]) -> None:
    """What the step to any game rewrites is named value by value; everything else is a loss there, too."""
    step = next(step for step in steps if step.revision == "20261118_17")
    expected = meant(step.before, step.revision)
    assert expected != step.before
    for table, name in (("matches", "scores"), ("match_seats", "person_id"), ("rounds", "seed"), ("persons", "id")):
        spoilt: Rows = step.after | {table: [row | {name: "spoilt"} for row in step.after[table]]}
        assert {where for where, _ in lost(expected, spoilt)} == {table}
    assert lost(step.before, step.after), "as if nothing had been meant"
    assert hazards("ALTER TABLE matches DROP COLUMN panel", {"matches"}, LOSSES)
    assert hazards("DELETE FROM judgements", {"judgements"}, LOSSES)


@pytest.mark.parametrize("revision", sorted(OFFLINE))
async def test_an_offline_step_refuses_while_a_server_lives(old_study_url: str, revision: str) -> None:
    before = CHAIN[CHAIN.index(revision) - 1]
    await asyncio.to_thread(migrate, old_study_url, before)
    connection = await asyncpg.connect(old_study_url)
    await connection.execute("INSERT INTO live_processes (id, beat_at) VALUES ('serving', now())")
    with pytest.raises(RuntimeError, match="stop the servers before this upgrade: 1 of the previous version"):
        await asyncio.to_thread(migrate, old_study_url, revision)
    assert await connection.fetchval("SELECT version_num FROM alembic_version") == before, "nothing has happened"
    await connection.execute("UPDATE live_processes SET beat_at = now() - interval '1 minute'")
    await asyncio.to_thread(migrate, old_study_url, revision)
    assert await connection.fetchval("SELECT version_num FROM alembic_version") == revision
    await connection.close()


def test_migrations_are_safe_while_the_previous_version_serves(steps: list[Step]) -> None:
    assert {step.revision: step.hazards for step in steps if step.hazards} == {}
    assert all(step.statements for step in steps)


def test_a_migration_that_is_broken_off_can_be_repeated(steps: list[Step]) -> None:
    """Building an index beside others commits what came before it; so that comes first in its migration."""
    for step in steps:
        changes = [text for text in step.statements if text.split()[0] in ("CREATE", "ALTER", "DROP", "INSERT")]
        online = ["CONCURRENTLY" in text for text in changes]
        assert online == sorted(online, reverse=True), step.revision


@pytest.mark.parametrize(
    ("statement", "dangerous"),
    [
        ("CREATE INDEX ix_old ON old (a)", True),
        ("CREATE UNIQUE INDEX ix_old ON old (a)", True),
        ("CREATE INDEX CONCURRENTLY ix_old ON old (a)", False),
        ("CREATE INDEX ix_new ON new (a)", False),
        ("\nALTER TABLE old\n ADD COLUMN a INTEGER NOT NULL", True),
        ("ALTER TABLE old ADD COLUMN a INTEGER DEFAULT 0 NOT NULL", False),
        ("ALTER TABLE old ADD COLUMN a INTEGER", False),
        ('ALTER TABLE "old" DROP COLUMN a', True),
        ("ALTER TABLE old RENAME a TO b", True),
        ("ALTER TABLE old ALTER COLUMN a TYPE BIGINT", True),
        ("ALTER TABLE old ADD CONSTRAINT c CHECK (a > 0)", True),
        ("ALTER TABLE old ADD CONSTRAINT c CHECK (a > 0) NOT VALID", False),
        ("DROP TABLE old", True),
        ("DELETE FROM old", True),
    ],
)
def test_what_is_dangerous(statement: str, dangerous: bool) -> None:
    assert bool(hazards(statement, {"old"})) == dangerous


async def test_people_of_the_first_schema_find_what_they_left(old_client: PageClient, old_url: str) -> None:
    await old_client.get("/login")
    answer = await old_client.post("/login", data={"email": "amber@example.org", "password": PASSWORD})
    assert answer.status_code == 303, answer.text
    assert (await old_client.get("/lobby")).status_code == 200, "both consents hold"
    async with connect(old_url, size=2, raw_size=1) as database:
        own = (await downloaded(old_client, database)).json()
    assert [(each["kind"], each["version"], each["given"]) for each in own["consents"]] == [
        ("play_data", 1, True),
        ("play_data", 2, True),
        ("interaction_log", 1, True),
    ]
    assert [match["match"] for match in own["matches"]] == [1, 2, 3, 4, 900]
    for match in own["matches"]:
        assert replay(read_book(match["book"])).position.to_act == OVER
    assert [(each["game"].partition(":")[0], each["verdict"]) for each in own["judgements"]] == [
        ("jostle", "artificial"),
        ("tic-tac-toe", "human"),
        ("jostle", "artificial"),
    ]
    assert [each["value"] for each in own["questionnaires"][0]["answers"]] == [
        "human",
        "artificial",
        'always the nearest piece, "wie blöd"',
        None,
    ]


@pytest.mark.parametrize(("account", "why"), [(2, "was withdrawn"), (3, "was given to the first text only")])
async def test_a_consent_that_does_not_hold_is_asked_for(old_client: PageClient, account: int, why: str) -> None:
    """The log-in of back then is still good, by the way."""
    token = Signer(SECRET, salt="session", digest_method=hashlib.sha256).sign(f"old-token-{account}").decode()
    old_client.cookies.set(COOKIE, token, domain="testserver.local", path="/")
    answer = await old_client.get("/lobby")
    assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (303, "/consent"), why


async def test_researchers_and_admins_find_what_they_left(old_client: PageClient, old_url: str) -> None:
    await old_client.get("/login")
    await old_client.post("/login", data={"email": "dusky@example.org", "password": PASSWORD})
    assert "account.role" in (await old_client.get("/admin/audit")).text
    assert "out of patience" in (await old_client.get("/admin/jobs")).text
    assert "Old rules" in (await old_client.get("/research/rule-bases")).text
    for page in ("/research", "/research/strategies/PALS", "/research/matches/1", "/admin/mail"):
        assert (await old_client.get(page)).status_code == 200, page
    async with connect(old_url, size=1, raw_size=1) as database, database.sessions() as session:
        assert (await read_settings(session)).panel_size == 6
        texts = await consent.current_texts(session)
        assert {kind.value: text.version for kind, text in texts.items()} == {"play_data": 2, "interaction_log": 1}


@pytest.mark.parametrize("match", [1, 2, 3, 4, 900])
async def test_links_to_matches_of_every_time_still_open(old_client: PageClient, match: int) -> None:
    """Of a match on the first board, of one with a rule base as stand-in, of another game, of a board by hash, and of
    one whose stand-in was deleted afterwards."""
    await old_client.get("/login")
    await old_client.post("/login", data={"email": "dusky@example.org", "password": PASSWORD})
    for page in (f"/matches/{match}", f"/matches/{match}/verify", f"/research/matches/{match}"):
        assert (await old_client.get(page)).status_code == 200, page
    for data in (f"/api/matches/{match}", f"/api/matches/{match}/dice", f"/api/research/matches/{match}/notes"):
        assert (await old_client.get(data)).status_code == 200, data
    book = await old_client.get(f"/matches/{match}/book")
    assert book.status_code == 200
    assert replay(read_book(book.text)).position.to_act == OVER
    assert ("Old rules" in book.text) == (match == 2), "a stand-in is called by its name, not by its script"
    assert ("Gone rules (deleted rule base" in book.text) == (match == 900)


async def test_newcomers_are_welcome(old_client: PageClient) -> None:
    await old_client.get("/register")
    answer = await old_client.post("/register", data={"email": "new@example.org", "password": PASSWORD})
    assert answer.status_code == 303


async def test_a_newer_schema_is_refused_with_advice(database_url: str) -> None:
    connection = await asyncpg.connect(database_url)
    await connection.execute("UPDATE alembic_version SET version_num = '29991231_01'")
    before = await rows_of(connection)
    with pytest.raises(SchemaTooNew, match=rf"newer version .* knows more than {newest_revision()}"):
        await asyncio.to_thread(migrate, database_url)
    assert await rows_of(connection) == before
    await connection.close()
    said = await asyncio.to_thread(
        CliRunner().invoke, grintu, ["migrate"], env={"GRINTU_SECRET_KEY": SECRET, "GRINTU_DATABASE_URL": database_url}
    )
    assert said.exit_code == 1
    assert "Start that version" in said.output
    assert "Traceback" not in said.output


async def test_a_migration_gives_up_a_lock_and_tries_again(old_study_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else everybody who needs the table would wait behind it."""
    monkeypatch.setattr(online, "PATIENCE", {"lock_timeout": "50ms", "statement_timeout": "10min"})
    monkeypatch.setattr(server_migrate, "PAUSE", 0.05)
    monkeypatch.setattr(server_migrate, "ATTEMPTS", 10_000)
    holder = await asyncpg.connect(old_study_url)
    holding = holder.transaction()
    await holding.start()
    await holder.execute("LOCK TABLE accounts")
    with capture_logs() as logged:
        migrating = asyncio.create_task(asyncio.to_thread(migrate, old_study_url))
        while not logged:
            assert not migrating.done()
            await asyncio.sleep(0.02)
        await holding.rollback()
        await migrating
    assert logged[0]["event"] == "migration waits for a lock"
    assert await holder.fetchval("SELECT version_num FROM alembic_version") == newest_revision()
    await holder.close()


async def test_people_write_while_indexes_are_built(old_study_url: str) -> None:
    """The step with the most indexes, while somebody's transaction is open: it waits, everybody else goes on."""
    url = old_study_url
    await asyncio.to_thread(migrate, url, "20261116_08")
    slow, quick = await asyncpg.connect(url), await asyncpg.connect(url)
    write = "INSERT INTO persons (pseudonym, created_at) VALUES ($1, now())"
    open_work = slow.transaction()
    await open_work.start()
    await slow.execute(write, "slow")
    here = asyncio.create_task(asyncio.to_thread(migrate, url))
    other = await asyncio.create_subprocess_exec(sys.executable, "-c", MIGRATE, url)  # takes its turn
    building = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    while not await quick.fetchval(f"{building} AND query LIKE 'CREATE INDEX CONCURRENTLY%'"):
        assert not here.done()
        assert other.returncode is None
        await asyncio.sleep(0.02)
    await quick.execute("SET lock_timeout = '60s'")
    await quick.execute(write, "quick")
    await open_work.commit()
    await here
    assert await other.wait() == 0
    assert await quick.fetchval("SELECT count(*) FROM persons") == 2
    invalid = "SELECT count(*) FROM pg_index WHERE NOT indisvalid"
    assert await quick.fetchval(invalid) == 0
    assert await quick.fetchval("SELECT version_num FROM alembic_version") == newest_revision()
    await slow.close()
    await quick.close()


def test_the_queues_tables_are_those_that_its_migration_made() -> None:
    """The library writes their definition. When a newer one writes another, existing databases need a migration of
    their own (`pgq upgrade` tells what), and then the fingerprint here may change."""
    definition = render_install(DBSettings()).partition("\n")[2]  # the first line names the library's version
    assert hashlib.sha256(definition.encode()).hexdigest()[:16] == QUEUE_TABLES
