"""Registration, confirmation, log-in and log-out.

Whether an address has an account is never told on a page: the answers and the work done for them are the same, and only
the mail says more. Where somebody wanted to go (`next`) is carried along, also through the mail: from registering to
the lobby there is one page after the other and nothing to look for.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from server.accounts import service
from server.accounts.dependencies import MaybeSignedIn
from server.accounts.limits import network_of, take
from server.accounts.links import read_confirm
from server.accounts.mails import confirm_mail, known_address_mail, unseen
from server.accounts.models import Role
from server.accounts.passwords import SHORTEST
from server.accounts.routes_factor import code_page, noticed
from server.accounts.schemas import ConfirmForm, EmailForm, LoginForm, RegisterForm
from server.accounts.sessions import end_session, forget_cookie, open_session
from server.base.errors import N_
from server.mail.outbox import at_once
from server.web.dependencies import DatabaseOf, Session, SettingsOf
from server.web.forms import Filled, describe, empty, filled
from server.web.rendering import language_of, local_path, redirect, render

router = APIRouter()

NextPage = Annotated[str, Query(alias="next", max_length=2000)]


@router.get("/register", response_class=Response)
async def register_page(request: Request, identity: MaybeSignedIn, next_page: NextPage = "") -> Response:
    if identity is not None:
        return redirect(local_path(next_page, "/account"))
    form = empty(next=local_path(next_page, ""))
    return render(request, "accounts/register.html", form=form, shortest=SHORTEST)


@router.post("/register", openapi_extra=describe(RegisterForm), response_class=Response)
async def register(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    form: Annotated[Filled[RegisterForm], Depends(filled(RegisterForm))],
) -> Response:
    """Create an account and mail a confirmation link; for a known address mail its owner instead."""
    await take(database, settings, "register-network", network_of(request))
    if form.data is None:
        return render(request, "accounts/register.html", status=422, form=form, shortest=SHORTEST)
    await take(database, settings, "mail-address", form.data.email)
    account, new = await service.enrol(session, form.data.email, form.data.password, language_of(request))
    # The owner of a known address gets a link to choose a password, also if it was never confirmed: a stranger may have
    # registered it first, with a password of their own.
    if new:
        mail = await confirm_mail(request, session, settings, account, local_path(form.data.next, ""))
    else:
        mail = await known_address_mail(request, session, settings, account)
    response = redirect("/register/sent")
    response.background = at_once(database, settings, mail)
    return response


@router.get("/register/sent", response_class=Response)
async def sent_page(request: Request, settings: SettingsOf) -> Response:
    outbox = settings.outbox if settings.demo and settings.smtp_host is None else None
    return render(request, "accounts/sent.html", outbox=outbox)


@router.get("/confirm", response_class=Response)
async def confirm_page(
    request: Request, settings: SettingsOf, token: Annotated[str, Query()] = "", next_page: NextPage = ""
) -> Response:
    """Opening the link changes nothing, so that mail scanners may open it too; the button confirms."""
    if read_confirm(token, settings) is None:
        return render(request, "accounts/confirm_again.html", status=400 if token else 200, form=empty())
    return render(request, "accounts/confirm.html", form=empty(token=token, next=local_path(next_page, "")))


@router.post("/confirm", openapi_extra=describe(ConfirmForm), response_class=Response)
async def confirm(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    form: Annotated[Filled[ConfirmForm], Depends(filled(ConfirmForm))],
) -> Response:
    """Confirm the address and log in. The mail proves the address and the password that it was the same person who
    registered it: else a stranger could register somebody's address and have the owner confirm the stranger's password.
    """
    content = read_confirm(form.values.get("token", ""), settings)
    if content is None:
        return render(request, "accounts/confirm_again.html", status=400, form=empty())
    await take(database, settings, "password-account", str(content[0]))
    account = await service.confirm(session, *content, form.data.password) if form.data else None
    if form.data is not None and account is None:
        form.refuse(request, password=N_("This is not the password with which the address was registered."))
    if account is None:
        return render(request, "accounts/confirm.html", status=422, form=form)
    if account.second_factor is not None:
        return code_page(request, account, settings, form.values.get("next", ""))
    # Who has just registered came to play; the lobby asks for the consent first.
    start = "/lobby" if account.role == Role.PROBAND else Role(account.role).start
    response = redirect(local_path(form.values.get("next"), start))
    await open_session(session, account, settings, response, request)
    return response


@router.post("/confirm/again", openapi_extra=describe(EmailForm), response_class=Response)
async def confirm_again(
    request: Request,
    database: DatabaseOf,
    settings: SettingsOf,
    form: Annotated[Filled[EmailForm], Depends(filled(EmailForm))],
) -> Response:
    """Mail a fresh confirmation link, if the address waits for one."""
    if form.data is None:
        return render(request, "accounts/confirm_again.html", status=422, form=form)
    await take(database, settings, "register-network", network_of(request))
    await take(database, settings, "mail-address", form.data.email)
    response = redirect("/register/sent")
    response.background = unseen(request, database, settings, form.data.email, confirm_mail, if_confirmed=False)
    return response


@router.get("/login", response_class=Response)
async def login_page(
    request: Request,
    identity: MaybeSignedIn,
    next_page: NextPage = "",
    changed: Annotated[str, Query()] = "",
) -> Response:
    if identity is not None:
        return redirect(local_path(next_page, identity.role.start))
    form = empty(next=local_path(next_page, ""))
    return render(request, "accounts/login.html", form=form, changed=bool(changed))


@router.post("/login", openapi_extra=describe(LoginForm), response_class=Response)
async def login(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    identity: MaybeSignedIn,
    form: Annotated[Filled[LoginForm], Depends(filled(LoginForm))],
) -> Response:
    await take(database, settings, "login-network", network_of(request))
    account = None
    if form.data is not None:
        await take(database, settings, "login-address", form.data.email)
        account = await service.check_password(session, form.data.email, form.data.password)
        if account is None:
            noticed(request).notice("login.failed", form.data.email)
            form.refuse(request, password=N_("The email address or the password is wrong."))
    if form.data is None or account is None:
        return render(request, "accounts/login.html", status=422, form=form, changed=False)
    if account.confirmed_at is None:
        await take(database, settings, "mail-address", account.email)
        response = render(request, "accounts/sent.html", status=403, outbox=None)
        mail = await confirm_mail(request, session, settings, account, local_path(form.data.next, ""))
        response.background = at_once(database, settings, mail)
        return response
    if identity is not None:
        await end_session(session, identity.session_id)
    if account.second_factor is not None:
        return code_page(request, account, settings, form.data.next)
    response = redirect(local_path(form.data.next, Role(account.role).start))
    await open_session(session, account, settings, response, request)
    return response


@router.post("/logout", response_class=Response, status_code=303)
async def logout(session: Session, settings: SettingsOf, identity: MaybeSignedIn) -> Response:
    response = redirect("/")
    if identity is not None:
        await end_session(session, identity.session_id)
    forget_cookie(response, settings)
    return response
