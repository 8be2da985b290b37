"""A forgotten password: ask for a link by mail, choose a new password with it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from server.accounts import repository, service
from server.accounts.limits import network_of, take
from server.accounts.links import read_reset, still_valid
from server.accounts.mails import PASSWORD_CHANGED, changed_mail, reset_mail, unseen
from server.accounts.passwords import SHORTEST
from server.accounts.routes_factor import noticed
from server.accounts.schemas import EmailForm, ResetForm
from server.base.clock import now
from server.mail.outbox import at_once
from server.web.dependencies import DatabaseOf, Session, SettingsOf
from server.web.forms import Filled, describe, empty, filled
from server.web.rendering import redirect, render

router = APIRouter()


@router.get("/password/forgot", response_class=Response)
async def forgot_page(request: Request) -> Response:
    return render(request, "accounts/forgot.html", form=empty(), expired=False)


@router.post("/password/forgot", openapi_extra=describe(EmailForm), response_class=Response)
async def forgot(
    request: Request,
    database: DatabaseOf,
    settings: SettingsOf,
    form: Annotated[Filled[EmailForm], Depends(filled(EmailForm))],
) -> Response:
    """Mail a link to choose a new password, if the address has an account. Answer and work are the same if not."""
    if form.data is None:
        return render(request, "accounts/forgot.html", status=422, form=form, expired=False)
    await take(database, settings, "register-network", network_of(request))
    await take(database, settings, "mail-address", form.data.email)
    response = redirect("/register/sent")
    response.background = unseen(request, database, settings, form.data.email, reset_mail)
    return response


@router.get("/password/reset", response_class=Response)
async def reset_page(request: Request, settings: SettingsOf, token: Annotated[str, Query()] = "") -> Response:
    if read_reset(token, settings) is None:
        return render(request, "accounts/forgot.html", status=400, form=empty(), expired=True)
    return render(request, "accounts/reset.html", form=empty(token=token), shortest=SHORTEST)


@router.post("/password/reset", openapi_extra=describe(ResetForm), response_class=Response)
async def reset(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    form: Annotated[Filled[ResetForm], Depends(filled(ResetForm))],
) -> Response:
    """Set the new password. Whoever can read the mail also owns the address, so it counts as confirmed."""
    content = read_reset(form.values.get("token", ""), settings)
    account = await repository.by_id(session, content[0], lock=True) if content else None
    if content is None or account is None or not still_valid(account, content[1]):
        return render(request, "accounts/forgot.html", status=400, form=empty(), expired=True)
    if form.data is None:
        return render(request, "accounts/reset.html", status=422, form=form, shortest=SHORTEST)
    await service.change_password(session, account, form.data.password)
    first = account.confirmed_at is None
    account.confirmed_at = account.confirmed_at or now()
    response = redirect("/login?changed=1")
    if not first:
        noticed(request).notice("password.changed", account.email)
        mail = await changed_mail(session, settings, account, PASSWORD_CHANGED)
        response.background = at_once(database, settings, mail)
    return response
