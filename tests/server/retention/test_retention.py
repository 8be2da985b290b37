"""Retention under a movable clock: inactive, told, deleted; never without a notice, never more than the person."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Account, Person
from server.accounts.pseudonyms import SIMULATED
from server.accounts.service import create_account, delete_account
from server.base.clock import ManualClock, now
from server.base.errors import NotFound
from server.base.settings import Settings
from server.judgements.models import JudgementRow
from server.mail.models import Mail
from server.mail.outbox import deliver_due
from server.questionnaires import profile, service
from server.questionnaires.models import Answer
from server.retention import free_texts
from server.retention.models import RetentionNotice
from server.retention.service import Plan, carry_out, plan
from server.storage.database import Database
from tests.server.questionnaires.conftest import as_person, played_match
from tests.servers import PageClient

DAY = timedelta(days=1)


@pytest.fixture
async def account(session: AsyncSession, clock: ManualClock) -> Account:
    made = await create_account(session, "somebody@example.org", "a long password", confirmed=True, language="de")
    assert made is not None
    made.last_login_at = now()
    await session.flush()
    return made


async def run(session: AsyncSession, database: Database, settings: Settings) -> Plan:
    """The nightly run, and then the delivery of its mails."""
    done = await carry_out(session, settings)
    await session.commit()
    await deliver_due(database, settings)
    return done


def mails(settings: Settings) -> list[str]:
    return [path.read_text() for path in settings.outbox.glob("*.eml")] if settings.outbox.exists() else []


async def test_the_course_of_an_unused_account(
    session: AsyncSession, database: Database, settings: Settings, clock: ManualClock, account: Account
) -> None:
    account_id, person_id = account.id, account.person_id
    assert (await plan(session, settings)).inactive == []
    clock.advance(29 * DAY)
    assert [found.account_id for found in (await plan(session, settings)).inactive] == [account_id]
    clock.advance(141 * DAY)  # day 170: two weeks before the six months are over
    dry = await plan(session, settings)
    assert [found.account_id for found in dry.notify] == [account_id]
    assert mails(settings) == [], "a plan changes nothing"
    await run(session, database, settings)
    await run(session, database, settings)
    (mail,) = mails(settings)
    assert "Konto" in mail, "in the person's language"
    clock.advance(15 * DAY)
    assert [found.account_id for found in (await run(session, database, settings)).delete] == [account_id]
    assert await session.get(Account, account_id) is None
    assert await session.get(Person, person_id) is not None, "the pseudonym stays for research"


async def test_simulated_persons_are_neither_told_nor_deleted(
    session: AsyncSession, database: Database, settings: Settings, clock: ManualClock, account: Account
) -> None:
    person = await session.get_one(Person, account.person_id)
    person.pseudonym = f"{SIMULATED}study1-000001"
    await session.flush()
    clock.advance(400 * DAY)
    done = await run(session, database, settings)
    assert (done.inactive, done.notify, done.delete) == ([], [], [])
    assert mails(settings) == []


async def test_logging_in_once_starts_anew(
    session: AsyncSession, database: Database, settings: Settings, clock: ManualClock, account: Account
) -> None:
    clock.advance(172 * DAY)
    await run(session, database, settings)
    account.last_login_at = now() + timedelta(hours=1)
    clock.advance(20 * DAY)
    found = await run(session, database, settings)
    assert (found.delete, found.notify) == ([], [])


async def test_nobody_is_deleted_without_a_notice_even_after_a_long_pause(
    session: AsyncSession, database: Database, settings: Settings, clock: ManualClock, account: Account
) -> None:
    clock.advance(400 * DAY)
    found = await run(session, database, settings)
    assert ([a.account_id for a in found.notify], found.delete) == ([account.id], [])
    clock.advance(13 * DAY)
    assert (await run(session, database, settings)).delete == []
    clock.advance(2 * DAY)
    assert len((await run(session, database, settings)).delete) == 1


async def test_a_notice_counts_when_its_mail_is_delivered(
    session: AsyncSession, database: Database, settings: Settings, clock: ManualClock, account: Account
) -> None:
    away = settings.model_copy(update={"smtp_host": "127.0.0.1", "smtp_port": 1, "smtp_security": "none"})
    clock.advance(400 * DAY)
    assert len((await run(session, database, away)).notify) == 1
    assert await session.get(RetentionNotice, account.id) is None, "nobody has been told"
    for _ in range(3):  # the mail is given up on the third day
        clock.advance(DAY)
        assert (await run(session, database, away)).notify == [], "one mail is enough"
    clock.advance(100 * DAY)
    assert (await run(session, database, away)).delete == []
    (mail,) = await session.scalars(select(Mail))
    assert mail.due_at is None
    mail.due_at = now()  # as the admins' button does
    await session.commit()
    await deliver_due(database, settings)
    clock.advance(13 * DAY)
    assert (await run(session, database, settings)).delete == []
    clock.advance(2 * DAY)
    assert len((await run(session, database, settings)).delete) == 1


async def test_a_late_mail_is_no_notice_for_somebody_who_came_back(
    session: AsyncSession, database: Database, settings: Settings, clock: ManualClock, account: Account
) -> None:
    clock.advance(172 * DAY)
    await carry_out(session, settings)
    account.last_login_at = now() + timedelta(hours=1)
    await session.commit()
    clock.advance(timedelta(hours=2))
    await deliver_due(database, settings)
    assert len(mails(settings)) == 1
    assert await session.get(RetentionNotice, account.id) is None


async def test_admins_are_kept(session: AsyncSession, settings: Settings, clock: ManualClock, account: Account) -> None:
    account.role = "admin"
    await session.flush()
    clock.advance(1000 * DAY)
    found = await plan(session, settings)
    assert found.delete == found.notify == found.inactive == []


async def answered(session: AsyncSession, account: Account, aim: str) -> int:
    """A finished questionnaire with a free text; gives the number of that answer."""
    person = await session.get_one(Person, account.person_id)
    match = await played_match(session, person, Person(pseudonym=f"other {match_number(aim)}", created_at=now()))
    sheet = await service.open_sheet(session, person.id, match.id)
    for seat in sheet.seats:
        await service.save_answer(session, sheet, "verdict", seat, "human")
        await service.save_answer(session, sheet, "challenge", seat, "unsure")
    await service.save_answer(session, sheet, "aim", 1, "I, " + aim)
    await service.save_answer(session, sheet, "aim", 1, aim)
    await service.save_answer(session, sheet, "enjoyment", None, "very")
    await service.finish(session, sheet)
    newest = select(Answer.id).where(Answer.item == "aim", Answer.sheet_id == sheet.id).order_by(Answer.id.desc())
    return (await session.scalars(newest.limit(1))).one()


def match_number(aim: str) -> str:
    return f"for {aim}"


async def test_what_research_needs_stays_and_the_profile_goes(
    session: AsyncSession, database: Database, settings: Settings, clock: ManualClock, account: Account
) -> None:
    sheet, _ = await profile.current(session, account.person_id)
    await profile.save(session, sheet, {"age": "from_25"})
    await answered(session, account, "winning")
    await delete_account(session, account.id)
    assert len((await session.scalars(select(JudgementRow))).all()) == 2
    assert (await session.scalars(select(Answer.item).where(Answer.item == "age"))).all() == []


async def test_free_texts_are_offered_for_a_check_before_they_outlive_their_author(
    session: AsyncSession, database: Database, settings: Settings, clock: ManualClock, account: Account
) -> None:
    answer = await answered(session, account, "beating me, Jane Doe of Springfield")
    assert await free_texts.to_check(session) == [], "the author is still there"
    clock.advance(172 * DAY)
    await run(session, database, settings)
    (offered,) = await free_texts.to_check(session)
    assert (offered.answer_id, offered.orphan) == (answer, False)
    await delete_account(session, account.id)
    (offered,) = await free_texts.to_check(session)
    assert offered.orphan
    person = await session.get_one(Person, account.person_id)
    pseudonym, person.pseudonym = person.pseudonym, "simulated-study1-000001"
    assert await free_texts.to_check(session) == [], "a simulated person was never anybody"
    person.pseudonym = pseudonym
    await free_texts.check(session, answer, "beating me", "researcher")
    assert await free_texts.to_check(session) == []
    kept = (await session.scalars(select(Answer.value).where(Answer.item == "aim").order_by(Answer.id))).all()
    assert kept == [None, "beating me"], "no earlier wording keeps the name"
    with pytest.raises(NotFound):
        await free_texts.check(session, 10**9, "", "researcher")


async def test_the_dry_run_page_is_for_admins(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await as_person(client, session, settings, "researcher")
    assert (await client.get("/admin/retention")).status_code == 403
    assert (await client.get("/research/free-texts")).status_code == 200
    await as_person(client, session, settings, "admin")
    assert "This page changes nothing." in (await client.get("/admin/retention")).text
