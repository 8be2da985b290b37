"""What researchers and admins change or take away stands in the audit log, with who did it."""

from __future__ import annotations

import asyncio
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.audit import audit
from server.accounts.models import AuditEntry, Person
from server.base.settings import ROOT, Settings
from server.console.auditing import ACTIONS
from server.questionnaires.models import Answer, QuestionnaireVersion
from tests.conftest import SignIn
from tests.server.questionnaires.conftest import as_person
from tests.server.questionnaires.test_pages import WHOLE_FORM, seated
from tests.server.test_rights import flat
from tests.servers import PageClient, environment_of

WORDS = {"title_en": "We found", "title_de": "Wir fanden", "body_en": "much", "body_de": "viel"}


async def noted(session: AsyncSession) -> list[tuple[str, str]]:
    await session.rollback()
    entries = await session.scalars(select(AuditEntry).order_by(AuditEntry.id))
    return [(entry.action, entry.target) for entry in entries]


async def test_drafts_are_noted_from_their_beginning_to_their_end(
    client: PageClient, session: AsyncSession, sign_in: SignIn
) -> None:
    account = await sign_in("researcher")
    await client.get("/research/questionnaires")
    of_profile = select(QuestionnaireVersion.id).where(QuestionnaireVersion.purpose == "profile")
    shipped = (await session.scalars(of_profile)).one()
    copied = await client.post(f"/research/questionnaires/{shipped}", data={"then": "copy"})
    draft = copied.headers["location"].split("/")[-2]
    content = (await client.get(f"/research/questionnaires/{draft}/export.json")).json()
    assert (await client.put(f"/research/questionnaires/{draft}", json=content)).status_code == 200
    assert (await client.post(f"/research/questionnaires/{draft}", data={"then": "delete"})).status_code == 303
    assert await noted(session) == [(f"questionnaire.{done}", "profile 2") for done in ("draft", "change", "delete")]
    who = await session.scalars(select(AuditEntry.actor))
    assert set(who) == {await session.scalar(select(Person.pseudonym).where(Person.id == account.person_id))}


async def test_who_codes_an_answer_is_noted_and_what_it_says_is_not(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    _, url = await seated(client, session, settings)
    await client.get(url)
    await client.post(url, data={**WHOLE_FORM, "challenge_why.1": "it was quick"})
    answer = (await session.scalars(select(Answer.id).where(Answer.item == "challenge_why"))).one()
    await as_person(client, session, settings, "researcher")
    await client.get("/research/coding")
    await client.post(f"/research/coding/{answer}", data={"code": "right"})
    assert await noted(session) == [("answer.code", str(answer))]


async def test_findings_and_exports_are_noted(client: PageClient, session: AsyncSession, sign_in: SignIn) -> None:
    await sign_in("researcher")
    await client.get("/research/findings")
    assert (await client.post("/research/findings", data=WORDS)).status_code == 303
    for public in ("true", "false"):
        await client.post("/research/findings/1/publish", data={"public": public})
    assert (await client.post("/research/exports", data={"what": "flags"})).status_code == 303
    assert [action for action, _ in await noted(session)] == [
        "finding.write",
        "finding.publish",
        "finding.hide",
        "export",
    ]


UNNOTED = {
    "/api/ratings": "computes from the log what anybody can compute again",
    "/research/questionnaires/check": "keeps nothing",
}


def reached(function: Any, seen: set[Any]) -> set[Any]:
    """All functions of the server that a function may call, by the names in it; registries of functions count too."""
    function = inspect.unwrap(function)
    if function in seen or not getattr(function, "__module__", "").startswith("server."):
        return seen
    seen.add(function)
    codes = [function.__code__, *(code for code in function.__code__.co_consts if inspect.iscode(code))]
    names = {name for code in codes for name in code.co_names}
    known = [function.__globals__[name] for name in names if name in function.__globals__]
    modules = [one for one in known if inspect.ismodule(one) and one.__name__.startswith("server.")]
    known += [vars(module)[name] for module in modules for name in names if name in vars(module)]
    known += [inner for one in known if isinstance(one, dict) for inner in one.values()]
    for one in known:
        if inspect.isfunction(one):
            reached(one, seen)
    return seen


def test_every_route_by_which_staff_changes_something_leads_to_the_audit_log(app: FastAPI) -> None:
    """Found from the routes: a new one that forgets it fails here."""
    changing = [
        route
        for route in flat(app.routes)
        if getattr(route, "path", "").startswith(("/admin", "/research", "/api/research", "/api/ratings"))
        and not set(route.methods) <= {"GET", "HEAD"}
    ]
    assert len(changing) > 25
    assert {route.path for route in changing if audit not in reached(route.endpoint, set())} == set(UNNOTED)


@pytest.mark.parametrize(
    ("command", "action"), [(["backup", "--out"], "backup.write"), (["export", "flags", "--out"], "export")]
)
async def test_so_is_what_a_command_takes_away(
    settings: Settings, session: AsyncSession, tmp_path: Path, command: list[str], action: str
) -> None:
    """What a restore notes stands in tests/server/operations/test_backup.py."""
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "server.cli", *command, str(tmp_path / "taken")],
        env=environment_of(settings),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [noticed for noticed, _ in await noted(session)] == [action]


def test_every_action_has_words() -> None:
    written = {
        action
        for path in (ROOT / "server").rglob("*.py")
        for action in re.findall(r'audit\([^"]*?"([a-z_]+(?:\.[a-z_]+)?)"', path.read_text(encoding="utf-8"))
    }
    assert len(written) > 20
    assert written <= set(ACTIONS)
