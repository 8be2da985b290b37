"""Two accounts of one person: noticed by the browser or the network, told to researchers, never at one table."""

from __future__ import annotations

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from lab import falsifiers
from server.accounts.marks import companions
from server.accounts.models import Account, LoginMark
from server.falsifiers.service import signs_of
from server.live.config import LiveConfig
from server.matchmaking.lobby import Lobby
from server.matchmaking.seating import Seating
from server.storage.database import Database
from tests.conftest import BASE_URL
from tests.people import PASSWORD, new_account
from tests.servers import PageClient


async def log_in_from(app: FastAPI, address: str, browser: dict[str, str], *accounts: Account) -> None:
    """Each logs in and out again with the same browser."""
    transport = httpx.ASGITransport(app, client=(address, 1))
    async with PageClient(transport=transport, base_url=BASE_URL) as client:
        for account in accounts:
            await client.get("/")
            sent = await client.post("/login", data={"email": account.email, "password": PASSWORD}, headers=browser)
            assert sent.status_code == 303
            await client.get("/")
            await client.post("/logout")


FIREFOX = {"user-agent": "Firefox/150 Linux"}


async def test_one_browser_with_two_accounts_is_noticed_and_only_salted(
    app: FastAPI, database: Database, session: AsyncSession
) -> None:
    one, two, other = [await new_account(database) for _ in range(3)]
    await log_in_from(app, "203.0.113.1", FIREFOX, one, two)
    await log_in_from(app, "198.51.100.1", FIREFOX, other)
    assert [kind for _, kind in await companions(session, one.person_id)] == ["browser", "network"]
    assert await companions(session, other.person_id) == []
    assert [sign.name for sign in await signs_of(session, one.person_id)] == ["second_account"]
    kept = b"".join((await session.scalars(select(LoginMark.mark))).all())
    assert b"203.0.113" not in kept
    assert b"Firefox" not in kept


async def test_a_class_behind_one_network_is_no_sign(app: FastAPI, database: Database, session: AsyncSession) -> None:
    pupils = [await new_account(database) for _ in range(3)]
    for pupil in pupils:
        await log_in_from(app, "203.0.113.1", FIREFOX, pupil)
    assert [await companions(session, pupil.person_id) for pupil in pupils] == [[], [], []]


async def seated(database: Database, accounts: list[Account], company: int) -> list[set[Account]]:
    """Who sits together when all of them have waited for a table with so many persons."""
    lobby = Lobby(database, Seating(LiveConfig(pace=1000)), "test")
    for account in accounts:
        await lobby.join(account.person_id, "jostle:standard")
    await database.pool.execute("UPDATE lobby_places SET company = $1, due_at = now() - interval '1 s'", company)
    while await database.pool.fetchval("SELECT count(*) FROM lobby_places"):
        await lobby.seat_those_due()  # or the app has
    rows = await database.pool.fetch(
        "SELECT s.match_id, s.person_id FROM match_seats s JOIN matches m ON m.id = s.match_id "
        "WHERE m.ended_at IS NULL AND s.person_id IS NOT NULL"
    )
    matches = {row["person_id"]: row["match_id"] for row in rows}
    await database.pool.execute("UPDATE matches SET ended_at = now()")
    assert len(matches) == len(accounts)
    return [{one for one in accounts if matches[one.person_id] == match} for match in set(matches.values())]


async def test_they_are_never_seated_together(app: FastAPI, database: Database) -> None:
    one, two, other = [await new_account(database) for _ in range(3)]
    await log_in_from(app, "203.0.113.1", FIREFOX, one, two)
    assert [len(table) for table in await seated(database, [one, two], 2)] == [1, 1]
    tables = await seated(database, [one, two, other], 2)
    assert sorted(map(len, tables)) == [1, 2]
    assert {one, two} not in tables


@pytest.mark.parametrize("alike", [["203.0.113.1"], ["203.0.113.1", "203.0.113.1"]], ids=["browser", "network"])
async def test_not_even_where_three_persons_sit(app: FastAPI, database: Database, alike: list[str]) -> None:
    """Neither with the first one at the table nor with each other."""
    one, two, *others = [await new_account(database) for _ in range(4)]
    if len(alike) == 1:
        await log_in_from(app, alike[0], FIREFOX, one, two)
    else:
        for address, account in zip(alike, (one, two), strict=True):
            await log_in_from(app, address, FIREFOX, account)
    for _ in range(6):  # whoever is drawn first
        tables = await seated(database, [one, two, *others], 3)
        assert sorted(map(len, tables)) == [1, 3]
        assert not any({one, two} <= table for table in tables)


async def test_the_marks_go_with_the_account(app: FastAPI, database: Database, session: AsyncSession) -> None:
    account = await new_account(database)
    await log_in_from(app, "203.0.113.1", FIREFOX, account)
    await session.execute(text("DELETE FROM accounts"))
    assert (await session.scalars(select(LoginMark))).all() == []


@pytest.mark.parametrize(
    ("right", "of", "flagged"), [(60, 60, True), (97, 100, True), (40, 50, False), (90, 100, False), (12, 12, False)]
)
def test_who_is_right_too_often_is_flagged(right: int, of: int, flagged: bool) -> None:
    assert (falsifiers.right_too_often(right, of) is not None) == flagged
