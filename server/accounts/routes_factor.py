"""The second factor: setting it up, giving its code at log-in, and proving once more that it is really you."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts import passwords, repository, second_factor
from server.accounts.dependencies import SignedIn, require_proof
from server.accounts.events import Tally
from server.accounts.limits import take
from server.accounts.links import factor_token, read_factor, still_valid
from server.accounts.mails import FACTOR_OFF, FACTOR_ON, changed_mail
from server.accounts.models import Account, Role
from server.accounts.schemas import CodeForm, FactorForm, LoginCodeForm, ProveForm
from server.accounts.sessions import Identity, end_all_sessions, open_session, prove
from server.base.errors import N_, NotSignedIn
from server.mail.outbox import at_once
from server.web.dependencies import DatabaseOf, Session, SettingsOf
from server.web.forms import Filled, describe, empty, filled
from server.web.rendering import local_path, redirect, render

router = APIRouter()
WRONG = N_("This code is wrong, or it was used already. The next one comes within half a minute.")


@router.post("/login/code", openapi_extra=describe(LoginCodeForm), response_class=Response)
async def login_code(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    form: Annotated[Filled[LoginCodeForm], Depends(filled(LoginCodeForm))],
) -> Response:
    """The second step of a log-in; the token says that the password was right a few minutes ago."""
    content = read_factor(form.values.get("token", ""), settings)
    account = await repository.by_id(session, content[0]) if content else None
    if content is None or account is None or not still_valid(account, content[1]):
        return redirect("/login")
    await take(database, settings, "code-account", str(account.id))
    if form.data is not None and not await second_factor.check(session, account.id, form.data.code, settings):
        noticed(request).notice("code.failed", account.person.pseudonym)
        form.refuse(request, code=WRONG)
    if form.data is None or form.errors:
        return _code_page(request, form, status=422)
    response = redirect(local_path(form.data.next, Role(account.role).start))
    await open_session(session, account, settings, response, request)
    return response


def code_page(request: Request, account: Account, settings: SettingsOf, next_page: str) -> Response:
    """What a log-in with the right password shows if the account wants a code."""
    form = empty(token=factor_token(account, settings), next=local_path(next_page, ""))
    return _code_page(request, form)


def _code_page(request: Request, form: Filled[LoginCodeForm], *, status: int = 200) -> Response:
    return render(
        request, "accounts/proof.html", status=status, form=form, action="/login/code", name="code", by_code=True
    )


@router.get("/account/second-factor", response_class=Response)
async def factor_page(request: Request, session: Session, settings: SettingsOf, identity: SignedIn) -> Response:
    if not identity.second_factor:  # where it is on, turning it off wants a code, and each counts once
        require_proof(request, identity)
    return await _page(request, session, settings, identity, empty())


@router.post("/account/second-factor", openapi_extra=describe(FactorForm), response_class=Response)
async def turn_on(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    identity: SignedIn,
    form: Annotated[Filled[FactorForm], Depends(filled(FactorForm))],
) -> Response:
    """Turn it on with the first code, end all other log-ins, and show the recovery codes, once.

    The code is of a phone that nobody knows yet: whoever enrols one has proved before that the account is theirs, else
    who finds an open browser would be proved by an own phone, and lock the owner out.
    """
    require_proof(request, identity)
    await take(database, settings, "code-account", str(identity.account_id))
    secret = second_factor.unseal(form.values.get("sealed", ""), settings)
    account = await _account(session, identity)
    step = second_factor.matching_step(secret, form.data.code.strip()) if form.data and secret else None
    if form.data is not None and step is None:
        form.refuse(request, code=WRONG)
    if secret is None or step is None or account.second_factor is not None:
        return await _page(request, session, settings, identity, form, status=422)
    codes = second_factor.turn_on(account, secret, step, settings)
    await end_all_sessions(session, account.id, but=identity.session_id)
    await prove(session, identity.session_id)
    noticed(request).notice("factor.on", identity.pseudonym)
    mail = await changed_mail(session, settings, account, FACTOR_ON)
    response = render(request, "accounts/recovery_codes.html", codes=codes)
    response.background = at_once(database, settings, mail)
    return response


@router.post("/account/second-factor/off", openapi_extra=describe(CodeForm), response_class=Response)
async def turn_off(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    identity: SignedIn,
    form: Annotated[Filled[CodeForm], Depends(filled(CodeForm))],
) -> Response:
    await take(database, settings, "code-account", str(identity.account_id))
    if form.data is not None and not await second_factor.check(session, identity.account_id, form.data.code, settings):
        noticed(request).notice("code.failed", identity.pseudonym)
        form.refuse(request, code=WRONG)
    if form.data is None or form.errors:
        return await _page(request, session, settings, identity, form, status=422)
    account = await _account(session, identity)
    second_factor.turn_off(account)
    noticed(request).notice("factor.off", identity.pseudonym)
    mail = await changed_mail(session, settings, account, FACTOR_OFF)
    response = redirect("/account?done=factor-off")
    response.background = at_once(database, settings, mail)
    return response


@router.get("/account/prove", response_class=Response)
async def prove_page(
    request: Request, identity: SignedIn, next_page: Annotated[str, Query(alias="next")] = ""
) -> Response:
    return _prove_page(request, identity, empty(next=local_path(next_page, "")))


@router.post("/account/prove", openapi_extra=describe(ProveForm), response_class=Response)
async def prove_once_more(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    identity: SignedIn,
    form: Annotated[Filled[ProveForm], Depends(filled(ProveForm))],
) -> Response:
    """Whoever finds an open browser shall neither change roles nor take the data away."""
    limit, kind = ("code-account", "code.failed") if identity.second_factor else ("password-account", "login.failed")
    await take(database, settings, limit, str(identity.account_id))
    if form.data is not None and not await _is_right(session, settings, identity, form.data.proof):
        noticed(request).notice(kind, identity.pseudonym)
        form.refuse(request, proof=WRONG if identity.second_factor else N_("This is not your present password."))
    if form.data is None or form.errors:
        return _prove_page(request, identity, form, status=422)
    await prove(session, identity.session_id)
    return redirect(local_path(form.data.next, identity.role.start))


def _prove_page(request: Request, identity: Identity, form: Filled[ProveForm], *, status: int = 200) -> Response:
    return render(
        request,
        "accounts/proof.html",
        status=status,
        form=form,
        action="/account/prove",
        name="proof",
        by_code=identity.second_factor,
    )


async def _is_right(session: AsyncSession, settings: SettingsOf, identity: Identity, proof: str) -> bool:
    if identity.second_factor:
        return await second_factor.check(session, identity.account_id, proof, settings)
    return await passwords.verify(proof, (await _account(session, identity)).password_hash)


async def _account(session: AsyncSession, identity: Identity) -> Account:
    account = await repository.by_id(session, identity.account_id, lock=True)
    if account is None:
        raise NotSignedIn  # deleted in another window a moment ago
    return account


async def _page(
    request: Request,
    session: AsyncSession,
    settings: SettingsOf,
    identity: Identity,
    form: Filled[FactorForm] | Filled[CodeForm],
    *,
    status: int = 200,
) -> Response:
    account = await _account(session, identity)
    # A code that was mistyped belongs to the picture that was shown with it.
    secret = second_factor.unseal(form.values.get("sealed", ""), settings) or second_factor.new_secret()
    return render(
        request,
        "accounts/second_factor.html",
        status=status,
        form=form,
        on=account.second_factor is not None,
        left=len(account.recovery_codes),
        sealed=second_factor.seal(secret, settings),
        picture=second_factor.picture(secret, account.email),
        written=second_factor.written(secret),
        required=settings.require_second_factor and identity.role is not Role.PROBAND,
    )


def noticed(request: Request) -> Tally:
    tally: Tally = request.app.state.events
    return tally
