"""Mails leave through a real SMTP conversation, or land in the outbox folder; none is lost, whoever dies or fails."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import httpx
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy import func, select

from server.accounts.models import Account, AuditEntry
from server.app import create_app
from server.base.clock import ManualClock, now
from server.base.settings import Settings
from server.jobs.registry import SCHEDULE, Tools, load_jobs
from server.mail import routes, transport
from server.mail.models import Mail
from server.mail.outbox import GIVE_UP_AFTER, deliver, deliver_due, post
from server.storage.database import Database
from tests.people import log_in, new_account
from tests.server.accounts.mailbox import mails
from tests.server.operations.test_serve import Browser
from tests.servers import PageClient, free_port, running_server


class Inbox(Message):
    """Takes mails, except for recipients that it is told to refuse."""

    def __init__(self, refusing: str = "") -> None:
        super().__init__(EmailMessage)
        self.received: list[EmailMessage] = []
        self.refusing = refusing

    def handle_message(self, message: EmailMessage) -> None:  # type: ignore[override]  # it is the class given above
        self.received.append(message)

    async def handle_RCPT(  # noqa: N802 - the library looks for this name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if self.refusing:
            return self.refusing
        envelope.rcpt_tos.append(address)
        return "250 OK"


@contextmanager
def mail_server(inbox: Inbox, port: int) -> Iterator[None]:
    controller = Controller(inbox, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield
    finally:
        controller.stop()


def with_smtp(settings: Settings, port: int) -> Settings:
    return settings.model_copy(update={"smtp_host": "127.0.0.1", "smtp_port": port, "smtp_security": "none"})


@pytest.fixture
async def account(database: Database) -> Account:
    return await new_account(database, email="mia@example.org")


async def posted(database: Database, account: Account, **more: Any) -> int:
    async with database.transaction() as session:
        mail = await post(session, account, "test", "Grüße", "Wörter\n")
        for name, value in more.items():
            setattr(mail, name, value)
        return mail.id


async def waiting(database: Database) -> list[Mail]:
    async with database.sessions() as session:
        return list(await session.scalars(select(Mail).order_by(Mail.id)))


async def test_with_an_smtp_server_mails_are_sent_once(
    database: Database, settings: Settings, account: Account
) -> None:
    inbox, port = Inbox(), free_port()
    await posted(database, account)
    with mail_server(inbox, port):
        many = await asyncio.gather(*(deliver_due(database, with_smtp(settings, port)) for _ in range(3)))
    assert sorted(many) == [0, 0, 1], "whoever claims it sends it"
    (received,) = inbox.received
    assert received["To"] == "mia@example.org"
    assert "auto-generated" in received["Auto-Submitted"]
    assert not settings.outbox.exists()
    assert await waiting(database) == [], "what is delivered is not kept"


async def test_without_one_they_are_written_to_the_outbox(
    database: Database, settings: Settings, account: Account
) -> None:
    await posted(database, account)
    assert await deliver_due(database, settings) == 1
    (written,) = mails(settings)
    assert (written["Subject"], written.get_content()) == ("Grüße", "Wörter\n")


async def test_what_is_rolled_back_is_not_mailed(database: Database, settings: Settings, account: Account) -> None:
    with pytest.raises(RuntimeError):
        async with database.transaction() as session:
            await post(session, account, "test", "Never", "Never\n")
            raise RuntimeError
    assert await deliver_due(database, settings) == 0


async def test_an_unreachable_server_is_tried_again_until_it_answers(
    database: Database, settings: Settings, account: Account, clock: ManualClock
) -> None:
    inbox, port = Inbox(), free_port()
    away = with_smtp(settings, port)
    number = await posted(database, account)
    pauses = []
    for _ in range(3):
        await deliver(database, away, number)
        (mail,) = await waiting(database)
        assert mail.due_at is not None
        pauses.append(mail.due_at - now())
        assert "refused" in str(mail.error)
        await deliver(database, away, number)
        assert (await waiting(database))[0].attempts == len(pauses), "not before its time"
        clock.advance(pauses[-1])
    assert pauses == [timedelta(seconds=30), timedelta(seconds=60), timedelta(seconds=120)]
    with mail_server(inbox, port):
        assert await deliver_due(database, away) == 1
    assert len(inbox.received) == 1


async def test_a_claim_that_runs_out_is_taken_over_with_the_same_message(
    database: Database, settings: Settings, account: Account, clock: ManualClock
) -> None:
    """As if a process had died after sending and before noting it."""
    await posted(database, account, due_at=now() + timedelta(minutes=5), attempts=1)
    (mail,) = await waiting(database)
    assert await deliver_due(database, settings) == 0
    clock.advance(timedelta(minutes=5))
    assert await deliver_due(database, settings) == 1
    assert mails(settings)[0]["Message-ID"] == transport.compose(settings, mail)["Message-ID"]


@pytest.mark.parametrize(("answer", "given_up"), [("550 nobody here", True), ("451 try later", False)])
async def test_what_is_refused_for_good_is_given_up_at_once(
    database: Database, settings: Settings, account: Account, answer: str, given_up: bool
) -> None:
    port = free_port()
    await posted(database, account)
    with mail_server(Inbox(answer), port):
        assert await deliver_due(database, with_smtp(settings, port)) == 0
    (mail,) = await waiting(database)
    assert (mail.due_at is None) == given_up
    assert answer.split(" ", 1)[1] in str(mail.error)


async def test_admins_see_what_was_given_up_and_can_try_again(
    client: PageClient, database: Database, settings: Settings, account: Account, clock: ManualClock
) -> None:
    number = await posted(database, account)
    clock.advance(GIVE_UP_AFTER + timedelta(seconds=1))
    await log_in(client, database, settings, await new_account(database, "admin"))
    await deliver(database, with_smtp(settings, 1), number)
    assert await deliver_due(database, settings) == 0, "given up"
    page = (await client.get("/admin/mail")).text
    assert "mia@example.org" in page
    assert "given up" in page
    assert "Wörter" not in page, "links in mails are for their recipients"
    assert (await client.post(f"/admin/mail/{number}/retry")).status_code == 303
    assert (await client.post(f"/admin/mail/{number}/discard")).status_code == 404, "it waits again"
    assert await deliver_due(database, settings) == 1
    other = await posted(database, account, due_at=None)
    assert (await client.post(f"/admin/mail/{other}/discard")).status_code == 303
    assert await waiting(database) == []
    async with database.sessions() as session:
        done = select(AuditEntry.action).where(AuditEntry.action.startswith("mail."))
        assert (await session.scalars(done.order_by(AuditEntry.id))).all() == ["mail.retry", "mail.discard"]


async def test_mails_go_with_their_account(database: Database, settings: Settings, account: Account) -> None:
    await posted(database, account)
    async with database.transaction() as session:
        await session.delete(await session.get_one(Account, account.id))
    assert await deliver_due(database, settings) == 0
    async with database.sessions() as session:
        assert await session.scalar(select(func.count(Mail.id))) == 0


async def test_servers_deliver_without_a_worker(
    settings: Settings, database: Database, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "PAUSE_SECONDS", 0.05)
    await posted(database, account)
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        for _ in range(2400):
            if not await waiting(database):
                break
            await asyncio.sleep(0.05)
    assert len(mails(settings)) == 1


async def test_workers_deliver_too(settings: Settings, database: Database, account: Account) -> None:
    load_jobs()
    await posted(database, account)
    with ThreadPoolExecutor(1) as processes:
        await SCHEDULE["mail"][1](Tools(settings, database, processes))
    assert len(mails(settings)) == 1


async def test_a_killed_server_loses_no_mail(database: Database, settings: Settings) -> None:
    """Nothing can be delivered and the process is killed; whoever comes next delivers."""
    settings.data_dir.mkdir(parents=True)
    settings.outbox.write_text("a file where the folder should be")
    with running_server(settings) as server, Browser(server) as browser:
        fields = {"email": "mia@example.org", "password": "correct horse battery"}
        answer: httpx.Response = await asyncio.to_thread(browser.fill, "/register", **fields)
        assert answer.status_code == 303
        server.stop(signal.SIGKILL)
    (mail,) = await waiting(database)
    settings.outbox.unlink()
    async with database.transaction() as session:
        (await session.get_one(Mail, mail.id)).due_at = now()
    assert await deliver_due(database, settings) == 1
    (written,) = mails(settings)
    assert written["To"] == "mia@example.org"
    assert "/confirm?token=" in written.get_content()
