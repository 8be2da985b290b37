"""Games by reference: those of the library, and sources that researchers add, which are checked and never change."""

from __future__ import annotations

import json
import threading

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from games import registry
from games.jostle import JOSTLE
from games.protocol import Game
from games.references import by_content
from server.accounts.models import AuditEntry
from server.base.errors import Conflict, InvalidInput
from server.rules import service
from server.rules.models import GameSource
from server.rules.service import LONGEST_UPLOAD, NoSuchGame, add_source, open_game
from server.storage.database import Database
from server.study.settings import change_setting, read_settings
from tests.conftest import SignIn
from tests.servers import PageClient

SHORT = json.dumps({"name": "short", "fields": 16, "goals": [1, 2, 3, 4, 5], "switches": [], "minus_three": []})


@pytest.fixture(autouse=True)
def ignorant() -> None:
    """As in a process that has just been started."""
    registry._learnt.clear()


async def added(database: Database) -> str:
    async with database.transaction() as session:
        return (await add_source(session, "jostle", SHORT, "A short one", "test")).reference


async def test_a_source_from_the_database_is_opened_by_its_hash(database: Database) -> None:
    reference = await added(database)
    registry._learnt.clear()
    async with database.sessions() as session:
        opened = await open_game(session, reference)
        assert opened.reference == reference == by_content("jostle", opened.source)
        assert len(opened.setup()["goals"]) == 5
        with pytest.raises(NoSuchGame):
            await open_game(session, "jostle:" + "0" * 32)
        with pytest.raises(NoSuchGame):
            await open_game(session, "chess")
        with pytest.raises(NoSuchGame):
            await open_game(session, "jostle:\x00")


async def test_what_a_game_finds_out_once_is_found_out_beside_the_event_loop(
    session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A described game of the library held everybody for two thirds of a second, whoever asked for it first."""
    threads: list[threading.Thread] = []
    genuine = registry.game

    def noting(reference: str) -> Game:
        threads.append(threading.current_thread())
        return genuine(reference)

    monkeypatch.setattr(service, "_at_hand", set())
    monkeypatch.setattr(registry, "_library", {})
    monkeypatch.setattr(registry, "game", noting)
    opened = await open_game(session, "gdl:tic-tac-toe")
    assert len(threads) == 1
    assert threading.main_thread() not in threads
    assert "grid_of_cells" in vars(opened), "the board too"
    assert await open_game(session, "gdl:tic-tac-toe") is opened


async def test_a_source_that_was_tampered_with_is_not_opened(database: Database) -> None:
    reference = await added(database)
    registry._learnt.clear()
    await database.pool.execute("UPDATE game_sources SET source = replace(source, '16', '17')")
    async with database.sessions() as session:
        with pytest.raises(Exception, match="the source is that of"):
            await open_game(session, reference)


async def test_what_was_added_is_not_added_again(database: Database) -> None:
    assert await added(database) == await added(database)
    async with database.sessions() as session:
        assert len((await session.scalars(select(GameSource))).all()) == 1


@pytest.mark.parametrize(
    ("kind", "source", "reason"),
    [
        ("chess", "", "there is no game"),
        ("jostle", "{", "a layout is JSON"),
        ("jostle", '{"name": "x"}', "lacks fields"),
        ("tic-tac-toe", "x", "empty source"),
        ("jostle", "\x00", "cannot be stored"),
        ("jostle", "x" * (LONGEST_UPLOAD + 1), "at most"),
    ],
)
async def test_what_is_no_game_is_refused_with_the_reason(
    session: AsyncSession, kind: str, source: str, reason: str
) -> None:
    with pytest.raises(InvalidInput, match=reason):
        await add_source(session, kind, source, "", "test")


async def test_what_comes_with_the_platform_need_not_be_added(session: AsyncSession) -> None:
    with pytest.raises(Conflict):
        await add_source(session, "jostle", JOSTLE.source, "", "test")


async def test_researchers_add_games_and_everybody_can_read_them(
    database: Database, client: PageClient, sign_in: SignIn
) -> None:
    await sign_in("researcher")
    page = await client.get("/research/games")
    assert page.status_code == 200
    refused = await client.post("/research/games", data={"kind": "jostle", "source": "{", "title": "Mine"})
    assert refused.status_code == 422
    assert "a layout is JSON" in refused.text
    assert "Mine" in refused.text
    kept = await client.post("/research/games", data={"kind": "jostle", "source": SHORT, "title": "A short one"})
    assert kept.status_code == 303
    async with database.sessions() as session:
        row = (await session.scalars(select(GameSource))).one()
        entry = (await session.scalars(select(AuditEntry).where(AuditEntry.action == "game.add"))).one()
    assert entry.target == row.reference
    assert "A short one" in (await client.get("/research/games")).text

    registry._learnt.clear()
    source = await client.get(f"/games/sources/{row.reference}")
    assert source.headers["content-type"].startswith("text/plain")
    assert "immutable" in source.headers["cache-control"]
    assert registry.learn(row.reference, source.text).reference == row.reference
    card = (await client.get(f"/api/games/{row.reference}")).json()
    assert (card["reference"], card["board"]) == (row.reference, "jostle")
    assert card["seats"]
    assert card["letters"] == ["r", "g", "b"]
    assert (await client.get(f"/games/{row.reference}/rules")).status_code == 200
    for path in ("/games/sources/chess", "/api/games/jostle:nothing", "/games/chess/rules"):
        assert (await client.get(path)).status_code == 404


async def test_probands_add_no_games(client: PageClient, sign_in: SignIn) -> None:
    await sign_in("proband")
    assert (await client.get("/research/games")).status_code == 403
    assert (await client.post("/research/games", data={"kind": "jostle", "source": SHORT})).status_code == 403


async def test_only_games_that_can_be_opened_are_offered(database: Database) -> None:
    reference = await added(database)
    registry._learnt.clear()
    async with database.transaction() as session:
        after = await change_setting(session, "games", f"jostle, {reference} tricks", changed_by="test")
        assert after.games == ["jostle:standard", reference, "tricks:standard"]
        for wrong in ("chess", "jostle:nothing", [], "", ["x" * 300]):
            with pytest.raises(InvalidInput):
                await change_setting(session, "games", wrong, changed_by="test")
        assert (await read_settings(session)).games == after.games
