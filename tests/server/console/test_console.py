"""The admins' console: settings with history, what runs, the outbox; all of it for admins alone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import AuditEntry
from server.clock import now
from server.live.models import LobbyPlace, Match
from server.settings import Settings
from server.study.settings import NAMES, read_settings
from tests.server.questionnaires.conftest import as_person, played_match
from tests.servers import PageClient


async def test_a_setting_is_changed_and_its_history_kept(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "admin")
    page = (await client.get("/admin/settings")).text
    assert all(f'id="{name}"' in page for name in NAMES)
    for seconds in ("30", "45.5"):
        assert (await client.post("/admin/settings/waiting_time", data={"value": seconds})).status_code == 303
    assert (await read_settings(session)).waiting_time == timedelta(seconds=45.5)
    history = (await client.get("/admin/settings/waiting_time")).text
    assert history.index("45.5") < history.index("30.0"), "newest first"
    actions = await session.scalars(select(AuditEntry.action))
    assert list(actions) == ["setting.change", "setting.change"]


@pytest.mark.parametrize("wrong", ["-1", "soon", "", "1e99", "9999999"])
async def test_a_value_that_makes_no_sense_is_refused_beside_its_field(
    client: PageClient, session: AsyncSession, settings: Settings, wrong: str
) -> None:
    await as_person(client, session, settings, "admin")
    answer = await client.post("/admin/settings/waiting_time", data={"value": wrong})
    assert answer.status_code == 422
    assert 'id="value-waiting_time-error"' in answer.text
    assert (await read_settings(session)).waiting_time == timedelta(seconds=20)


async def test_an_unknown_setting_is_not_found(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await as_person(client, session, settings, "admin")
    assert (await client.post("/admin/settings/nonsense", data={"value": "1"})).status_code == 404


async def test_what_runs_and_who_waits_is_shown(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    admin = await as_person(client, session, settings, "admin")
    running = await played_match(session, ended=False)
    session.add(LobbyPlace(person_id=admin.id, since=now(), due_at=now(), beat_at=now()))
    await session.commit()
    page = (await client.get("/admin/live")).text
    assert f'<a href="/research/matches/{running.id}">{running.id}</a>' in page
    assert "a person without connection" in page
    assert "is overdue" not in page
    await session.execute(update(Match).values(due_at=now() - timedelta(minutes=1)))
    await session.commit()
    assert "A match is overdue: no server process moves it on." in (await client.get("/admin/live")).text
    assert admin.pseudonym in page


async def test_the_outbox_can_be_read(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await as_person(client, session, settings, "admin")
    assert "The outbox is empty." in (await client.get("/admin/mail")).text
    settings.outbox.mkdir(parents=True)
    (settings.outbox / "1.eml").write_text(
        "To: you@example.org\nSubject: Hello\nDate: Mon, 16 Nov 2026 14:05:59 -0000\n\n<script>alert(1)</script>\n"
        'https://example.org/confirm?token=a.b&c="x\n'
    )
    page = (await client.get("/admin/mail")).text
    assert "Hello" in page
    assert "Nov 16, 2026, 14:05 UTC" in page
    assert "<script>alert" not in page, "a mail is shown as text"
    assert '<a href="https://example.org/confirm?token=a.b&amp;c=&#34;x" rel="' in page, "its links work"
    assert "noreferrer" in page


async def test_the_console_is_for_admins_alone(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await as_person(client, session, settings, "researcher")
    for path in ("settings", "settings/waiting_time", "live", "mail"):
        assert (await client.get(f"/admin/{path}")).status_code == 403
    assert (await client.post("/admin/settings/waiting_time", data={"value": "1"})).status_code == 403
