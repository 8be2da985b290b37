"""The admins' pages about accounts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts import repository, service
from server.accounts.dependencies import Admin, ProvedAdmin, rationed
from server.accounts.mails import invite_mail
from server.accounts.models import Role
from server.accounts.schemas import InviteForm, RoleForm
from server.base.errors import N_, InvalidInput
from server.mail.outbox import at_once
from server.web.dependencies import DatabaseOf, Session, SettingsOf
from server.web.forms import Filled, describe, empty, filled
from server.web.rendering import language_of, redirect, render

router = APIRouter(dependencies=[rationed("study-account")])
PAGE = 50
BIGGEST_KEY = 2**63 - 1
AccountId = Annotated[int, Path(ge=1, le=BIGGEST_KEY)]


@router.get("/admin/accounts", response_class=Response)
async def accounts_page(
    request: Request,
    session: Session,
    _: Admin,
    search: Annotated[str, Query(max_length=200)] = "",
    role: Annotated[str, Query()] = "",
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    done: Annotated[str, Query(max_length=20)] = "",
    order: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    return await _page(request, session, empty(role=Role.PROBAND.value), search, role, page, done, order)


@router.post("/admin/accounts", openapi_extra=describe(InviteForm), response_class=Response)
async def invite(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    who: ProvedAdmin,
    form: Annotated[Filled[InviteForm], Depends(filled(InviteForm))],
) -> Response:
    """Create an account and mail its owner a link to choose a password, in the language of the page."""
    account = None
    if form.data is not None:
        account = await service.invite(session, who, form.data.email, form.data.role, language_of(request))
        if account is None:
            form.refuse(request, email=N_("There is an account with this address already."))
    if account is None:
        return await _page(request, session, form, status=422)
    mail = await invite_mail(request, session, settings, account)
    response = redirect("/admin/accounts?done=invited")
    response.background = at_once(database, settings, mail)
    return response


async def _page(
    request: Request,
    session: AsyncSession,
    form: Filled[InviteForm],
    search: str = "",
    role: str = "",
    page: int = 1,
    done: str = "",
    order: str = "",
    *,
    status: int = 200,
) -> Response:
    wanted = Role(role) if role in list(Role) else None
    order = order if order in repository.ORDERS else "newest"
    found = await repository.search(
        session, search.replace("\x00", ""), wanted, order=order, offset=(page - 1) * PAGE, limit=PAGE
    )
    return render(
        request,
        "accounts/admin_accounts.html",
        status=status,
        form=form,
        done=done,
        found=found,
        search=search,
        role=role,
        order=order,
        page=page,
        last=max(1, -(-found.total // PAGE)),
        roles=list(Role),
    )


@router.post("/admin/accounts/{account_id}/role", openapi_extra=describe(RoleForm), response_class=Response)
async def change_role(
    session: Session,
    who: ProvedAdmin,
    account_id: AccountId,
    form: Annotated[Filled[RoleForm], Depends(filled(RoleForm))],
) -> Response:
    if form.data is None:
        raise InvalidInput
    await service.change_role(session, who, account_id, form.data.role)
    return redirect("/admin/accounts?done=role")


@router.post("/admin/accounts/{account_id}/delete", response_class=Response)
async def delete(session: Session, who: ProvedAdmin, account_id: AccountId) -> Response:
    await service.delete_account(session, account_id, actor=who)
    return redirect("/admin/accounts?done=deleted")
