"""The admins' page about mails."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.audit import audit
from server.accounts.dependencies import Admin, rationed
from server.base.clock import now
from server.base.errors import NotFound
from server.mail import folder
from server.mail.models import Mail
from server.web.dependencies import Session, SettingsOf
from server.web.rendering import redirect, render

SHOWN = 100
MailId = Annotated[int, Path(ge=1, le=2**63 - 1)]


router = APIRouter(prefix="/admin/mail", dependencies=[rationed("study-account")])


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
