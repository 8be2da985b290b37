"""What pages tell above everything else: maintenance on every page, simulated data where data are shown."""

from __future__ import annotations

from fastapi import FastAPI

from server.accounts.models import Account, Person
from server.accounts.pseudonyms import SIMULATED
from server.storage.database import Database
from server.study.settings import change_setting
from server.web import notices
from tests.conftest import SignIn
from tests.servers import PageClient

MAINTENANCE = "Maintenance: no new match begins at the moment."
AMONG_THEM = "Simulated persons are among the data of this server"


async def simulate(app: FastAPI, database: Database, account: Account) -> None:
    async with database.transaction() as session:
        (await session.get_one(Person, account.person_id)).pseudonym = f"{SIMULATED}study1-000001"
    notices.forget(app)


async def test_maintenance_is_told_on_every_page(client: PageClient, app: FastAPI, database: Database) -> None:
    assert MAINTENANCE not in (await client.get("/")).text
    async with database.transaction() as session:
        await change_setting(session, "maintenance", True, changed_by="test")
    notices.forget(app)
    for path in ("/", "/login", "/practice", "/findings", "/status"):
        assert MAINTENANCE in (await client.get(path)).text, path


async def test_an_admin_who_ends_maintenance_sees_it_end(client: PageClient, sign_in: SignIn) -> None:
    await sign_in("admin")
    for value, told in (("true", True), ("false", False)):
        await client.post("/admin/settings", data={"maintenance": value})
        assert (MAINTENANCE in (await client.get("/account")).text) is told


async def test_simulated_data_are_marked_where_data_are_shown(
    client: PageClient, sign_in: SignIn, app: FastAPI, database: Database
) -> None:
    await simulate(app, database, await sign_in("admin"))
    pages = ("", "/strategies", "/statistics", "/persons", "/matches", "/results", "/exports", "/findings")
    for path in (*(f"/research{page}" for page in pages), "/findings", "/admin/rounds"):
        answer = await client.get(path)
        assert answer.status_code == 200, path
        assert AMONG_THEM in answer.text, path
    assert AMONG_THEM not in (await client.get("/practice")).text


async def test_data_of_people_have_no_such_mark(client: PageClient, sign_in: SignIn) -> None:
    await sign_in("researcher")
    assert AMONG_THEM not in (await client.get("/research")).text
