"""One's own account: look, change the password, end log-ins, delete."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts import owndata, passwords, repository, service
from server.accounts.dependencies import MaybeSignedIn, SignedIn, notice
from server.accounts.limits import take
from server.accounts.mails import PASSWORD_CHANGED, changed_mail
from server.accounts.models import Account, Role
from server.accounts.schemas import DeleteForm, PasswordForm
from server.accounts.sessions import Identity, end_all_sessions, end_session, forget_cookie, sessions_of
from server.base.errors import N_, NotSignedIn
from server.mail.outbox import at_once
from server.web.dependencies import DatabaseOf, Session, SettingsOf
from server.web.forms import Filled, describe, empty, filled
from server.web.rendering import redirect, render

router = APIRouter()


class Me(BaseModel):
    """Who is logged in, for scripts of our own pages."""

    pseudonym: str
    role: Role
    language: str


@router.get("/api/me", responses={401: {}})
async def me(identity: SignedIn) -> Me:
    return Me(pseudonym=identity.pseudonym, role=identity.role, language=identity.language)


async def _account(session: AsyncSession, identity: Identity) -> Account:
    account = await repository.by_id(session, identity.account_id)
    if account is None:
        raise NotSignedIn  # deleted in another window a moment ago
    return account


async def _confirmed(
    request: Request, session: AsyncSession, identity: Identity, form: Filled[PasswordForm] | Filled[DeleteForm]
) -> Account:
    """The account, for a change that asks for the password once more; a wrong one is refused beside its field."""
    account = await _account(session, identity)
    if form.data is not None and not await passwords.verify(form.data.current, account.password_hash):
        form.refuse(request, current=N_("This is not your present password."))
    return account


async def _page(
    request: Request,
    session: AsyncSession,
    identity: Identity,
    form: Filled[PasswordForm],
    *,
    done: str = "",
    status: int = 200,
) -> Response:
    return render(
        request,
        "accounts/account.html",
        status=status,
        account=await _account(session, identity),
        form=form,
        done=done,
        sessions=await sessions_of(session, identity.account_id),
        here=identity.session_id,
        shortest=passwords.SHORTEST,
        **await owndata.shown(session, identity.person_id),
    )


@router.get("/account", response_class=Response)
async def account_page(
    request: Request, session: Session, identity: SignedIn, done: Annotated[str, Query()] = ""
) -> Response:
    return await _page(request, session, identity, empty(), done=done)


@router.post("/account/password", openapi_extra=describe(PasswordForm), response_class=Response)
async def change_password(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    identity: SignedIn,
    form: Annotated[Filled[PasswordForm], Depends(filled(PasswordForm))],
) -> Response:
    """Set a new password; all other log-ins of the account end."""
    await take(database, settings, "password-account", str(identity.account_id))
    account = await _confirmed(request, session, identity, form)
    if form.data is None or form.errors:
        return await _page(request, session, identity, form, status=422)
    await service.change_password(session, account, form.data.password, keep=identity.session_id)
    notice(request, "password.changed")
    response = redirect("/account?done=password")
    mail = await changed_mail(session, settings, account, PASSWORD_CHANGED)
    response.background = at_once(database, settings, mail)
    return response


@router.post("/account/sessions/{session_id}/end", response_class=Response, status_code=303)
async def end_one(
    session: Session, identity: SignedIn, session_id: Annotated[int, Path(ge=1, le=2**63 - 1)]
) -> Response:
    """End one of one's own log-ins."""
    await end_session(session, session_id, of=identity.account_id)
    return redirect("/account?done=ended#sessions-title")


@router.post("/account/logout-everywhere", response_class=Response, status_code=303)
async def logout_everywhere(session: Session, settings: SettingsOf, identity: SignedIn) -> Response:
    await end_all_sessions(session, identity.account_id)
    response = redirect("/login")
    forget_cookie(response, settings)
    return response


@router.get("/account/delete", response_class=Response)
async def delete_page(request: Request, identity: SignedIn) -> Response:
    return render(request, "accounts/delete.html", form=empty(), pseudonym=identity.pseudonym)


@router.post("/account/delete", openapi_extra=describe(DeleteForm), response_class=Response)
async def delete(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    identity: SignedIn,
    form: Annotated[Filled[DeleteForm], Depends(filled(DeleteForm))],
) -> Response:
    """Delete the account for good, after asking for the password once more."""
    await take(database, settings, "password-account", str(identity.account_id))
    await _confirmed(request, session, identity, form)
    if form.data is None or form.errors:
        return render(request, "accounts/delete.html", status=422, form=form, pseudonym=identity.pseudonym)
    await service.delete_account(session, identity.account_id)
    response = redirect("/account/deleted")
    forget_cookie(response, settings)
    return response


@router.get("/account/deleted", response_class=Response)
async def deleted_page(request: Request, _: MaybeSignedIn) -> Response:
    return render(request, "accounts/deleted.html")
