"""One's own data to take away: built by a worker, kept for a day, and nobody else's."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import delete, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts import owndata
from server.accounts.limits import LIMITS
from server.accounts.models import Account
from server.base.clock import ManualClock
from server.base.settings import Settings
from server.downloads import service
from server.downloads.models import Download, DownloadPiece
from server.storage.database import Database
from server.study.consent import ConsentKind, decide
from tests.conftest import BASE_URL, SignIn
from tests.downloads import downloaded
from tests.people import PASSWORD
from tests.servers import PATIENCE, PageClient
from tests.workers import running_worker

WAITING = text("SELECT convert_from(payload, 'UTF8') FROM pgqueuer WHERE entrypoint = 'downloads.build'")


async def test_a_request_only_asks_and_a_worker_builds(
    client: PageClient, sign_in: SignIn, settings: Settings, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = await sign_in()

    async def forbidden(*_: object) -> None:
        raise AssertionError("a server reads none of it")

    monkeypatch.setattr(owndata, "pieces", forbidden)
    page = (await client.get("/account/my-data")).text
    assert page.count(">Prepare<") == 2
    for _ in range(3):
        assert (await client.post("/account/downloads/data")).status_code == 303
    assert len((await session.scalars(WAITING)).all()) == 1, "asking again does not make more work"
    assert "is being prepared" in (await client.get("/account/my-data")).text
    assert (await client.get("/account/downloads/data")).headers["location"] == "/account/my-data"
    with running_worker(settings):
        async with asyncio.timeout(PATIENCE):
            while await session.scalar(select(Download.ready_at)) is None:
                await session.rollback()
                await asyncio.sleep(0.1)
    answer = await client.get("/account/downloads/data")
    assert answer.json()["account"]["email"] == account.email
    assert answer.headers["content-disposition"] == 'attachment; filename="grintu-my-data.json"'


async def test_a_large_file_is_never_held_whole(
    client: PageClient, sign_in: SignIn, database: Database, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sign_in()
    entry = json.dumps("x" * 100_000).encode()

    async def much(_session: AsyncSession, _person: int):  # type: ignore[no-untyped-def]  # a stream of bytes
        for _ in range(40):
            yield entry

    monkeypatch.setitem(owndata.STREAMS, "interaction_log", much)
    answer = await downloaded(client, database)
    assert answer.json()["interaction_log"] == ["x" * 100_000] * 40
    sizes = [len(piece) for piece in await session.scalars(select(DownloadPiece.data))]
    assert len(sizes) > 10
    assert max(sizes) < service.PIECE_BYTES + len(entry) + 100
    assert int(answer.headers["content-length"]) == sum(sizes)


async def test_nobody_gets_anothers_file(client: PageClient, app: FastAPI, sign_in: SignIn, database: Database) -> None:
    await sign_in()
    assert (await downloaded(client, database)).status_code == 200
    async with PageClient(transport=httpx.ASGITransport(app), base_url=BASE_URL) as other:
        assert (await other.get("/account/downloads/data")).headers["location"].startswith("/login")
        await sign_in(client=other)
        assert (await other.get("/account/downloads/data")).headers["location"] == "/account/my-data"
        await other.get("/account/my-data")
        assert (await other.post("/account/downloads/secrets")).status_code == 404


async def files(session: AsyncSession) -> int:
    await session.rollback()
    return await session.scalar(select(func.count()).select_from(DownloadPiece)) or 0


async def test_it_goes_with_the_account_with_a_consent_and_after_a_day(
    clock: ManualClock, client: PageClient, sign_in: SignIn, database: Database, session: AsyncSession
) -> None:
    account = await sign_in()
    await downloaded(client, database)
    async with database.transaction() as deciding:
        await decide(deciding, account.person_id, {ConsentKind.INTERACTION_LOG: False})
    assert await files(session) == 0, "it held the record that was to be erased"

    await downloaded(client, database)
    clock.advance(service.KEPT - timedelta(minutes=1))
    async with database.transaction() as tidying:
        await service.forget_old(tidying)
    assert await files(session) == 1
    clock.advance(timedelta(minutes=2))
    async with database.transaction() as tidying:
        await service.forget_old(tidying)
    assert await files(session) == 0

    await downloaded(client, database)
    await client.get("/account/delete")
    assert (await client.post("/account/delete", data={"current": PASSWORD})).status_code == 303
    assert await files(session) == 0


async def test_a_file_whose_owner_goes_meanwhile_is_given_up(
    client: PageClient, sign_in: SignIn, database: Database, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = await sign_in()
    await client.get("/account/my-data")
    await client.post("/account/downloads/data")
    number = (await session.scalars(select(Download.id))).one()

    async def gone(_session: AsyncSession, _person: int):  # type: ignore[no-untyped-def]  # a stream of bytes
        async with database.transaction() as deleting:
            await deleting.execute(delete(Account).where(Account.id == account.id))
        yield b"1"

    monkeypatch.setitem(owndata.STREAMS, "interaction_log", gone)
    await service.build(database, number)
    await service.build(database, number)
    assert await files(session) == 0


async def test_building_is_rationed(clock: ManualClock, client: PageClient, sign_in: SignIn) -> None:
    await sign_in()
    await client.get("/account/my-data")
    statuses = [
        (await client.post("/account/downloads/books")).status_code for _ in range(LIMITS["build-account"].burst + 1)
    ]
    assert statuses == [303] * LIMITS["build-account"].burst + [429]
