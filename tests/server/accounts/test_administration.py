"""Roles, the admins' pages, the audit log, and the same from the command line."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from typer.testing import CliRunner

from server.accounts import service
from server.accounts.models import Account, AuditEntry, Role
from server.accounts.repository import ORDERS
from server.base.clock import ManualClock
from server.base.errors import Conflict
from server.base.settings import Settings
from server.cli.main import app as grintu
from server.storage.database import Database
from tests.conftest import SignIn
from tests.people import new_account
from tests.server.accounts.mailbox import links, mails, token_of
from tests.servers import PageClient, environment_of


@pytest.mark.parametrize(
    ("role", "status"), [("proband", 403), ("researcher", 403), ("admin", 200)], ids=["proband", "researcher", "admin"]
)
async def test_only_admins_see_accounts_and_audit_log(
    client: PageClient, sign_in: SignIn, role: str, status: int
) -> None:
    await sign_in(role)
    for page in ("/admin/accounts", "/admin/audit"):
        assert (await client.get(page)).status_code == status


def test_roles_include_each_other_upwards() -> None:
    assert [[one.includes(other) for other in Role] for one in Role] == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


async def test_changing_a_role_is_audited(
    client: PageClient, sign_in: SignIn, database: Database, session: AsyncSession
) -> None:
    await sign_in("admin")
    other = await new_account(database)
    answer = await client.post(f"/admin/accounts/{other.id}/role", data={"role": "researcher"})
    assert answer.status_code == 303
    changed = await session.get(Account, other.id)
    assert changed is not None
    assert changed.role == "researcher"
    entry = (await session.scalars(select(AuditEntry))).one()
    assert (entry.action, entry.details) == ("account.role", {"from": "proband", "to": "researcher"})
    assert other.email not in entry.target
    assert entry.target in (await client.get("/admin/audit")).text


async def test_an_unknown_role_changes_nothing(client: PageClient, sign_in: SignIn) -> None:
    admin = await sign_in("admin")
    assert (await client.post(f"/admin/accounts/{admin.id}/role", data={"role": "king"})).status_code == 422
    assert (await client.post("/admin/accounts/999999/role", data={"role": "admin"})).status_code == 404


async def test_the_last_admin_stays(client: PageClient, sign_in: SignIn, database: Database) -> None:
    admin = await sign_in("admin")
    assert (await client.post(f"/admin/accounts/{admin.id}/role", data={"role": "proband"})).status_code == 409
    await client.post("/admin/accounts", data={"email": "not.here.yet@example.org", "role": "admin"})
    assert (await client.post(f"/admin/accounts/{admin.id}/delete")).status_code == 409
    second = await new_account(database, "admin")
    assert (await client.post(f"/admin/accounts/{second.id}/delete")).status_code == 303
    async with database.transaction() as session:
        with pytest.raises(Conflict):
            await service.delete_account(session, admin.id)


async def test_somebody_is_invited_and_chooses_a_password(
    client: PageClient, sign_in: SignIn, settings: Settings, session: AsyncSession, clock: ManualClock
) -> None:
    await sign_in("admin")
    answer = await client.post("/admin/accounts", data={"email": "New@example.org", "role": "researcher"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/accounts?done=invited")
    entry = (await session.scalars(select(AuditEntry))).one()
    assert (entry.action, entry.details) == ("account.invite", {"role": "researcher"})
    again = await client.post("/admin/accounts", data={"email": "new@example.org", "role": "admin"})
    assert (again.status_code, "account with this address already" in again.text) == (422, True)
    assert (await client.post("/admin/accounts", data={"email": "nobody", "role": "admin"})).status_code == 422
    (mail,) = mails(settings)
    assert mail["To"] == "new@example.org"
    (link,) = links(mail)
    clock.advance(settings.confirm_lifetime - timedelta(minutes=5))
    chosen = {"token": token_of(link), "password": "a quite new password"}
    assert (await client.post("/password/reset", data=chosen)).status_code == 303
    assert (await client.post("/password/reset", data=chosen)).status_code == 400, "a link works once"
    account = await service.check_password(session, "new@example.org", "a quite new password")
    assert account is not None
    assert (account.role, account.confirmed_at is not None) == ("researcher", True)


async def test_an_invitation_expires(
    client: PageClient, sign_in: SignIn, settings: Settings, clock: ManualClock
) -> None:
    await sign_in("admin")
    await client.post("/admin/accounts", data={"email": "new@example.org", "role": "proband"})
    (link,) = links(mails(settings)[0])
    clock.advance(settings.confirm_lifetime)
    chosen = {"token": token_of(link), "password": "a quite new password"}
    assert (await client.post("/password/reset", data=chosen)).status_code == 400


async def test_accounts_can_be_searched(client: PageClient, sign_in: SignIn, database: Database) -> None:
    await sign_in("admin")
    await new_account(database, email="percent%@example.org")
    await new_account(database, "researcher", email="other@example.org")
    page = await client.get("/admin/accounts", params={"search": "%"})
    assert "percent%@example.org" in page.text
    assert "other@example.org" not in page.text, "a percent sign is a percent sign"
    page = await client.get("/admin/accounts", params={"role": "researcher"})
    assert "other@example.org" in page.text
    assert "percent%@example.org" not in page.text


async def test_accounts_are_sorted_by_any_column(client: PageClient, sign_in: SignIn, database: Database) -> None:
    await sign_in("admin")
    for name in ("bee", "ant", "cow"):
        await new_account(database, email=f"{name}@farm.example.org")
    asked = {"search": "farm.example.org"}

    async def listed(order: str) -> list[str]:
        page = (await client.get("/admin/accounts", params=asked | {"order": order})).text
        return re.findall(r"<td>(\w+)@farm", page)

    assert await listed("address") == ["ant", "bee", "cow"]
    assert await listed("-address") == ["cow", "bee", "ant"]
    assert await listed("oldest") == ["bee", "ant", "cow"]
    assert await listed("no such column") == ["cow", "ant", "bee"], "the newest first"
    for order in ORDERS:
        assert sorted(await listed(order)) == ["ant", "bee", "cow"], order
    page = (await client.get("/admin/accounts", params={"order": "login"})).text
    assert 'aria-sort="ascending"><a href="/admin/accounts?search=&amp;role=&amp;order=-login">' in page


def test_the_first_admin_comes_from_the_command_line(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment_of(settings).items():
        monkeypatch.setenv(name, value)
    run = CliRunner().invoke
    made = run(grintu, ["user", "create", "--role", "admin", "Boss@Example.org"])
    assert made.exit_code == 0, made.output
    assert "Created the admin boss@example.org." in made.output
    assert "Password: " in made.output
    again = run(grintu, ["user", "create", "boss@example.org", "--password", "a long password"])
    assert (again.exit_code, "already" in again.output) == (1, True)
    assert run(grintu, ["user", "create", "no address"]).exit_code == 2
    assert run(grintu, ["user", "create", "x@example.org", "--password", "short"]).exit_code == 2
    assert run(grintu, ["user", "role", "boss@example.org", "proband"]).exit_code == 1, "the last admin"
    listed = run(grintu, ["user", "list"])
    assert listed.output.startswith("boss@example.org\tadmin\t")


async def test_a_new_password_from_the_command_line_ends_all_sessions(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, client: PageClient, sign_in: SignIn, session: AsyncSession
) -> None:
    for name, value in environment_of(settings).items():
        monkeypatch.setenv(name, value)
    await sign_in("researcher")
    email = (await session.scalars(select(Account.email))).one()
    done = await asyncio.to_thread(CliRunner().invoke, grintu, ["user", "password", email])
    assert done.exit_code == 0, done.output
    assert (await client.get("/api/me")).status_code == 401
    chosen = done.output.split("Password: ")[1].strip()
    assert await service.check_password(session, email, chosen) is not None


async def test_the_command_line_is_audited(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, session: AsyncSession
) -> None:
    for name, value in environment_of(settings).items():
        monkeypatch.setenv(name, value)
    for command in (
        ["user", "create", "mia@example.org", "--password", "a long password"],
        ["user", "role", "mia@example.org", "researcher"],
        ["user", "password", "mia@example.org"],
        ["user", "delete", "mia@example.org", "--yes"],
        ["setting", "change", "waiting_time", "30"],
        ["setting", "change", "panel_size", "5"],
    ):
        done = await asyncio.to_thread(CliRunner().invoke, grintu, command)
        assert done.exit_code == 0, done.output
    entries = (await session.scalars(select(AuditEntry).order_by(AuditEntry.id))).all()
    assert [(entry.actor, entry.action) for entry in entries] == [
        ("command line", "account.create"),
        ("command line", "account.role"),
        ("command line", "account.password"),
        ("command line", "account.delete"),
        ("command line", "setting.change"),
        ("command line", "setting.change"),
    ]
    assert entries[-2].details == {"from": 20.0, "to": 30.0}
    assert entries[-1].details == {"from": 8, "to": 5}
