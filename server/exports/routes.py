"""Exports from the browser: asked for with a form, made by a worker, and taken as one archive."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from server.accounts.audit import audit
from server.accounts.dependencies import ProvedResearcher, Researcher, require_proof
from server.accounts.limits import take
from server.base.errors import N_, InvalidInput, NotProved
from server.exports import orders
from server.exports.orders import Order
from server.exports.tables import GROUPS, TABLES, chosen
from server.exports.writers import FORMATS
from server.web.dependencies import DatabaseOf, Session, SettingsOf
from server.web.rendering import redirect, render

router = APIRouter()


@router.get("/research/exports", response_class=Response)
async def exports_page(request: Request, session: Session, who: Researcher) -> Response:
    """The newest export of whoever looks, how far it is, and the form for another one."""
    try:
        require_proof(request, who)
        proved = True
    except NotProved:
        proved = False
    return render(
        request,
        "research/exports.html",
        tables=TABLES,
        groups=GROUPS,
        made=await orders.of_account(session, who.account_id),
        proved=proved,
    )


@router.post("/research/exports", response_class=Response, status_code=303)
async def ask(
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    who: ProvedResearcher,
    what: Annotated[list[str] | None, Form(max_length=40)] = None,
    form: Annotated[str, Form(max_length=20)] = "csv",
    first: Annotated[str, Form(max_length=10)] = "",
    last: Annotated[str, Form(max_length=10)] = "",
    books: Annotated[bool, Form()] = False,
    by_mail: Annotated[bool, Form()] = False,
) -> Response:
    """Let a worker make an archive of the chosen groups of tables."""
    await take(database, settings, "export-account", str(who.account_id))
    if form not in FORMATS:
        raise InvalidInput(N_("There is no such format."))
    try:
        tables = chosen(what or [])
    except KeyError as error:
        raise InvalidInput(N_("There is no such table.")) from error
    order = Order(what=what or [], form=form, first=_day(first), last=_day(last), books=books)
    audit(session, who, "export", ", ".join(table.name for table in tables), {"format": form, "books": books})
    await orders.ask(session, who.account_id, order, by_mail=by_mail)
    return redirect("/research/exports")


@router.get("/research/exports/download")
async def download(session: Session, database: DatabaseOf, settings: SettingsOf, who: ProvedResearcher) -> Response:
    """The archive, once it is made; until then the page that says how far it is."""
    await take(database, settings, "export-account", str(who.account_id))
    made = await orders.of_account(session, who.account_id)
    if made is None or made.ready_at is None:
        return redirect("/research/exports")
    headers = {
        "Content-Disposition": f'attachment; filename="grintu-export-{made.ready_at:%Y-%m-%d}.zip"',
        "Content-Length": str(made.bytes),
        "Cache-Control": "no-store",
    }
    return StreamingResponse(orders.stream(database, made.id), media_type="application/zip", headers=headers)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise InvalidInput(N_("A day is written as 2026-01-31.")) from error
