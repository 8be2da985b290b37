"""Delivery beside the server's other work, and the admins' page about mails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Annotated

import structlog
from fastapi import APIRouter, FastAPI, Path
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.audit import audit
from server.accounts.dependencies import Admin, Session, SettingsOf
from server.clock import now
from server.database import Database
from server.errors import NotFound
from server.mail import folder
from server.mail.models import Mail
from server.mail.outbox import deliver_due
from server.settings import Settings
from server.web import redirect, render

log = structlog.get_logger()
PAUSE_SECONDS = 5.0
SHOWN = 100
MailId = Annotated[int, Path(ge=1, le=2**63 - 1)]


async def _deliver_forever(database: Database, settings: Settings) -> None:
    while True:
        await asyncio.sleep(PAUSE_SECONDS)
        try:
            await deliver_due(database, settings)
        except (OSError, SQLAlchemyError) as error:
            log.warning("outbox unreachable", reason=type(error).__name__)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    delivering = asyncio.create_task(_deliver_forever(app.state.database, app.state.settings))
    try:
        yield
    finally:
        delivering.cancel()
        with suppress(asyncio.CancelledError):
            await delivering


router = APIRouter(prefix="/admin/mail", lifespan=lifespan)


@router.get("", response_class=Response)
async def mail_page(request: Request, session: Session, settings: SettingsOf, _: Admin) -> Response:
    """What waits and what was given up, without the bodies: they hold links that are for the recipient alone."""
    query = select(Mail).order_by(Mail.due_at.desc().nulls_first(), Mail.id).limit(SHOWN)
    return render(
        request,
        "admin/mail.html",
        waiting=(await session.scalars(query)).all(),
        mails=await asyncio.to_thread(folder.written, settings.outbox),
        by_smtp=settings.smtp_host is not None,
    )


@router.post("/{mail_id}/retry", response_class=Response)
async def retry(session: Session, who: Admin, mail_id: MailId) -> Response:
    mail = await _given_up(session, mail_id)
    mail.due_at = mail.created_at = now()  # the time until it is given up begins anew
    audit(session, who, "mail.retry", f"{mail.id} {mail.occasion}")
    return redirect("/admin/mail")


@router.post("/{mail_id}/discard", response_class=Response)
async def discard(session: Session, who: Admin, mail_id: MailId) -> Response:
    mail = await _given_up(session, mail_id)
    audit(session, who, "mail.discard", f"{mail.id} {mail.occasion}")
    await session.delete(mail)
    return redirect("/admin/mail")


async def _given_up(session: AsyncSession, mail_id: int) -> Mail:
    mail = await session.get(Mail, mail_id, with_for_update=True)
    if mail is None or mail.due_at is not None:
        raise NotFound
    return mail
