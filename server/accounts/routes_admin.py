"""The admins' pages about accounts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from server.accounts import repository, service
from server.accounts.dependencies import Admin, Session
from server.accounts.models import Role
from server.accounts.schemas import RoleForm
from server.errors import InvalidInput
from server.forms import Filled, describe, filled
from server.web import redirect, render

router = APIRouter()
PAGE = 50
BIGGEST_KEY = 2**63 - 1
AccountId = Annotated[int, Path(ge=1, le=BIGGEST_KEY)]


@router.get("/admin", response_class=Response)
async def admin_page(_: Admin) -> Response:
    return redirect("/admin/accounts")


@router.get("/admin/accounts", response_class=Response)
async def accounts_page(
    request: Request,
    session: Session,
    _: Admin,
    search: Annotated[str, Query(max_length=200)] = "",
    role: Annotated[str, Query()] = "",
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Response:
    wanted = Role(role) if role in list(Role) else None
    found = await repository.search(session, search.replace("\x00", ""), wanted, offset=(page - 1) * PAGE, limit=PAGE)
    last = max(1, -(-found.total // PAGE))
    return render(
        request,
        "accounts/admin_accounts.html",
        found=found,
        search=search,
        role=role,
        page=page,
        last=last,
        roles=list(Role),
    )


@router.post("/admin/accounts/{account_id}/role", openapi_extra=describe(RoleForm), response_class=Response)
async def change_role(
    session: Session, who: Admin, account_id: AccountId, form: Annotated[Filled[RoleForm], Depends(filled(RoleForm))]
) -> Response:
    if form.data is None:
        raise InvalidInput
    await service.change_role(session, who, account_id, form.data.role)
    return redirect("/admin/accounts")


@router.post("/admin/accounts/{account_id}/delete", response_class=Response)
async def delete(session: Session, who: Admin, account_id: AccountId) -> Response:
    await service.delete_account(session, account_id, actor=who)
    return redirect("/admin/accounts")
