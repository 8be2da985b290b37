"""The admins' console: settings with history, what runs, the outbox; all of it for admins alone."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from lab.refinement import PRESETS
from server.accounts.audit import audit
from server.accounts.models import AuditEntry
from server.base.clock import now
from server.base.settings import ROOT, Settings
from server.console.auditing import ACTIONS
from server.console.home import forecast
from server.console.service import GROUPS
from server.falsifiers.models import FalsifierFlag
from server.live.models import Match
from server.matchmaking.models import LobbyPlace
from server.rounds.models import Round
from server.rounds.service import create as start_round
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
        assert (await client.post("/admin/settings", data={"waiting_time": seconds})).status_code == 303
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
    answer = await client.post("/admin/settings", data={"erase_after": "30,5", "erase_after.unit": "week"})
    assert (await read_settings(session)).erase_after == timedelta(weeks=30.5)
    assert "Saved: Erased after" in (await client.get(answer.headers["location"])).text
    assert 'value="5124"' in (await client.get("/admin/settings")).text
    refused = await client.post("/admin/settings", data={"erase_after": "3000", "erase_after.unit": "week"})
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
    answer = await client.post("/admin/settings", data={"move_clock": "90", "waiting_time": wrong})
    assert answer.status_code == 422
    assert 'id="value-waiting_time-error"' in answer.text
    kept = await read_settings(session)
    assert (kept.waiting_time, kept.move_clock) == (timedelta(seconds=20), timedelta(seconds=60)), "all or nothing"
    assert 'name="move_clock" inputmode="decimal" value="90"' in answer.text, "what was typed is still there"


async def test_what_is_no_setting_is_ignored(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await as_person(client, session, settings, "admin")
    answer = await client.post("/admin/settings", data={"nonsense": "1"})
    assert "Nothing was changed." in (await client.get(answer.headers["location"])).text


async def test_saving_the_page_as_it_is_changes_nothing(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "admin")
    page = (await client.get("/admin/settings")).text.partition('action="/admin/settings"')[2]
    sent = dict(re.findall(r'<input id="[^"]+" name="([^"]+)" inputmode="decimal" value="([^"]*)"', page))
    sent |= dict(re.findall(r"<textarea[^>]* name=\"([^\"]+)\"[^>]*>([^<]*)</textarea>", page))
    for name, options in re.findall(r'<select[^>]* name="([^"]+)"[^>]*>(.*?)</select>', page):
        sent |= dict.fromkeys([name], re.findall(r'value="([^"]+)" selected', options)[0])
    assert set(sent) >= set(NAMES)
    assert (await client.post("/admin/settings", data=sent)).headers["location"] == "/admin/settings?saved="
    assert list(await session.scalars(select(AuditEntry.action))) == []


def test_settings_that_belong_together_stand_together() -> None:
    named = [name for _, names in GROUPS for name in names]
    assert len(named) == len(set(named))
    assert set(named) <= set(NAMES)


async def test_the_home_page_tells_what_needs_attention_and_when_the_next_step_may_come(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    admin = await as_person(client, session, settings, "admin")
    await start_round(session, "admin", name="Autumn", game="jostle:standard", seed=1, settings=PRESETS["recommended"])
    session.add(FalsifierFlag(person_id=admin.id, name="too_fast", evidence="seconds"))
    await session.commit()
    page = (await client.get("/admin")).text
    assert "No worker gives a sign of life" in page
    assert "Flags of possible falsifiers to decide: 1" in page
    assert "Jobs that failed" not in page
    assert "Autumn" in page
    assert "too few people have judged in the last seven days" in page
    assert 'data-live="yes"' in page


def test_a_forecast_is_what_is_lacking_at_the_pace_of_the_last_days() -> None:
    known = {"judgements": 6, "expert_judgements": 2.0}
    round_ = Round(
        phase="rate",
        settings={"judgements": 10, "expert_judgements": 5, "strip_experts": 20},
        progress={"strategies": {"A": known, "B": known | {"judgements": 10, "expert_judgements": 5.0}}},
    )
    found = forecast(round_, per_day=2.0)
    assert (found.missing, found.missing_experts) == (4, 3)
    assert found.days == pytest.approx(3 / (2.0 * 7 / 16)), "super experts give seven of sixteen judgements"
    assert found.time == timedelta(days=3)
    assert forecast(round_, per_day=0.0).days is None
    round_.phase = "strip"
    assert forecast(round_, per_day=2.0).missing_experts == 33


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
    for path in ("settings", "settings/waiting_time", "live", "mail", ""):
        assert (await client.get(f"/admin/{path}".rstrip("/"))).status_code == 403
    assert (await client.post("/admin/settings", data={"waiting_time": "1"})).status_code == 403
