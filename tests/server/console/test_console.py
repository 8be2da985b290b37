"""The admins' console: settings with history, what runs, the outbox; all of it for admins alone."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.audit import audit
from server.accounts.models import AuditEntry
from server.base.clock import now
from server.base.settings import ROOT, Settings
from server.console.auditing import ACTIONS
from server.live.models import Match
from server.matchmaking.models import LobbyPlace
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
    assert history.index("45.5 seconds") < history.index("30 seconds"), "newest first"
    actions = await session.scalars(select(AuditEntry.action))
    assert list(actions) == ["setting.change", "setting.change"]
    log = (await client.get("/admin/audit")).text
    assert "Waiting time" in log
    assert "30 seconds → 45.5 seconds" in log
    client.cookies.set("language", "de")
    assert "30 Sekunden → 45,5 Sekunden" in (await client.get("/admin/audit")).text


async def test_durations_are_shown_and_taken_in_the_unit_that_suits(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "admin")
    page = (await client.get("/admin/settings")).text.partition('id="erase_after"')[2]
    assert 'value="183"' in page
    assert "default: 183 days" in page
    answer = await client.post("/admin/settings/erase_after", data={"value": "30,5", "unit": "week"})
    assert (await read_settings(session)).erase_after == timedelta(weeks=30.5)
    assert "✓ Saved: 5,124 hours" in (await client.get(answer.headers["location"])).text
    refused = await client.post("/admin/settings/erase_after", data={"value": "3000", "unit": "week"})
    assert refused.status_code == 422
    assert "This is too much." in refused.text
    assert "1 day to 3,650 days; default: 183 days" in refused.text
    assert '<option value="week" selected>' in refused.text, "what was typed is still there"


@pytest.mark.parametrize(
    ("details", "words"),
    [
        ({"from": 20.0, "to": "30"}, "20 seconds → 30 seconds"),
        ({"from": "0:00:20", "to": "0:01:00"}, "20 seconds → 1 minute"),
        ({"from": 20.0, "to": "for ever"}, "20 seconds → for ever"),
    ],
)
async def test_entries_of_old_are_told_in_words_too(
    client: PageClient, session: AsyncSession, settings: Settings, details: dict[str, object], words: str
) -> None:
    await as_person(client, session, settings, "admin")
    audit(session, "somebody", "setting.change", "waiting_time", details)
    audit(session, "somebody", "setting.change", "forgotten", {"from": 1, "to": True})
    audit(session, "somebody", "round.schedule", "1 Autumn", {"when": "at", "at": "2026-11-16 14:05:00+00:00"})
    audit(session, "somebody", "study.unknown", "1", {"some_name": None})
    await session.commit()
    log = (await client.get("/admin/audit")).text
    assert all(text in log for text in (words, "1 → yes", "Nov 16, 2026, 14:05 UTC", "some name: None"))


def test_every_action_has_words() -> None:
    """Found in the sources, so that a new action is not forgotten."""
    written = re.compile(r'\baudit\(\s*\w+,\s*[\w.()]+,\s*(?:f)?"([a-z_.]+)')
    sources = "".join(path.read_text() for path in (ROOT / "server").rglob("*.py") if path.name != "audit.py")
    found = {action for action in written.findall(sources) if not action.endswith(".")}
    assert len(found) > 20
    assert found <= set(ACTIONS)


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
    session.add(
        LobbyPlace(person_id=admin.id, game="jostle:standard", company=2, since=now(), due_at=now(), beat_at=now())
    )
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
