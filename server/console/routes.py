"""The console's pages. Everything that an admin changes here is in the audit log."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.audit import audit, recent_entries
from server.accounts.dependencies import Admin
from server.base.errors import N_, InvalidInput, NotFound
from server.console import routes_jobs, routes_mail, service
from server.console.auditing import told
from server.study.settings import NAMES, change_setting, describe, in_words, setting_history
from server.web import notices
from server.web.dependencies import Session
from server.web.rendering import gettext, language_of, redirect, render
from server.web.times import UNITS

router = APIRouter(dependencies=[rationed("study-account")])
router.include_router(routes_jobs.router)
router.include_router(routes_mail.router)
ENTRIES = 50
REASONS = {
    "greater_than": N_("This is too little."),
    "greater_than_equal": N_("This is too little."),
    "less_than": N_("This is too much."),
    "less_than_equal": N_("This is too much."),
    "int_parsing": N_("Please enter a whole number."),
    "too_short": N_("This is too little."),
    "too_long": N_("This is too much."),
    "no_such_game": N_("There is no such game here."),
}
NO_VALUE = N_("Please enter a number.")


@router.get("/admin/settings", response_class=Response)
async def settings_page(
    request: Request, session: Session, _: Admin, saved: Annotated[str, Query(max_length=60)] = ""
) -> Response:
    return _settings_page(request, await service.settings(session), saved=saved)


@router.post("/admin/settings/{name}", response_class=Response)
async def change(request: Request, session: Session, who: Admin, name: Annotated[str, Path(max_length=60)]) -> Response:
    """Give a setting a new value; the old one stays in its history."""
    sent = await request.form()
    given, unit = str(sent.get("value", ""))[:5000], str(sent.get("unit", ""))[:10]
    settings = await service.settings(session)
    before = next((setting for setting in settings if setting.name == name), None)
    try:
        value = _typed(before.kind if before else "text", given, unit)
        after = await change_setting(session, name, value, changed_by=who.pseudonym)
    except InvalidInput as error:
        errors = {name: gettext(request, REASONS.get(str(error.values.get("kind")), NO_VALUE))}
        return _settings_page(request, settings, status=422, errors=errors, given={name: (given, unit)})
    assert before is not None, "an unknown name was refused"
    changed = after.model_dump(mode="json")[name]
    if changed != before.value:
        audit(session, who, "setting.change", name, {"from": before.value, "to": changed})
    notices.forget(request.app)
    return redirect(f"/admin/settings?saved={name}#{name}")


@router.get("/admin/settings/{name}", response_class=Response)
async def history_page(
    request: Request, session: Session, _: Admin, name: Annotated[str, Path(max_length=60)]
) -> Response:
    if name not in NAMES:
        raise NotFound
    words = partial(in_words, name, say=partial(gettext, request), language=language_of(request))
    history = await setting_history(session, name)
    return render(
        request, "admin/setting.html", name=name, title=describe()[name]["title"], history=history, words=words
    )


@router.get("/admin/live", response_class=Response)
async def live_page(request: Request, session: Session, _: Admin) -> Response:
    return render(request, "admin/live.html", live=await service.live(session))


@router.get("/admin/audit", response_class=Response)
async def audit_page(
    request: Request, session: Session, _: Admin, before: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None
) -> Response:
    entries = await recent_entries(session, before=before, limit=ENTRIES)
    older = entries[-1].id if len(entries) == ENTRIES else None
    say = partial(gettext, request)
    shown = [(entry, told(entry, say, language_of(request))) for entry in entries]
    return render(request, "admin/audit.html", entries=shown, older=older)


def _settings_page(
    request: Request,
    settings: list[service.Setting],
    *,
    status: int = 200,
    errors: dict[str, str] | None = None,
    given: dict[str, tuple[str, str]] | None = None,
    saved: str = "",
) -> Response:
    def words(setting: service.Setting, value: object) -> str:
        return in_words(setting.name, value, partial(gettext, request), language_of(request))

    return render(
        request,
        "admin/settings.html",
        status=status,
        settings=settings,
        errors=errors or {},
        given=given or {},
        saved=saved,
        words=words,
        units=list(UNITS),
    )


def _typed(kind: str, given: str, unit: str) -> Any:
    """What a form's text means for a setting; what is no number stays text and is refused with a reason."""
    if kind == "switch":
        return given == "true"
    if kind in ("choice", "list"):
        return given
    try:
        number = float(given.replace(",", "."))
        if kind == "duration":
            return number * UNITS.get(unit, UNITS["second"]).total_seconds()
        return int(given) if kind == "whole" else number
    except ValueError:
        return given
