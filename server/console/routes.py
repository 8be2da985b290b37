"""The console's pages. Everything that an admin changes here is in the audit log."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.audit import audit, recent_entries
from server.accounts.dependencies import Admin, rationed
from server.base.errors import N_, InvalidInput, NotFound
from server.console import home, routes_jobs, routes_mail, service
from server.console.auditing import told
from server.study.games import titled
from server.study.settings import NAMES, change_setting, describe, in_words, setting_history
from server.web import notices
from server.web.dependencies import Session, SettingsOf
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


@router.get("/admin", response_class=Response)
async def home_page(request: Request, session: Session, settings: SettingsOf, _: Admin) -> Response:
    found = await home.home(session, settings)
    references = {*found.study.games, *(one.game for one, _ in found.rounds)}
    titles = dict(await titled(session, references, language_of(request)))
    return render(request, "admin/home.html", home=found, titles=titles)


@router.get("/admin/settings", response_class=Response)
async def settings_page(
    request: Request, session: Session, _: Admin, saved: Annotated[str | None, Query(max_length=2000)] = None
) -> Response:
    return _settings_page(request, await service.settings(session), saved=saved)


@router.post("/admin/settings", response_class=Response)
async def change(request: Request, session: Session, who: Admin) -> Response:
    """Give settings new values, those that were sent, all of them or none; old values stay in their histories."""
    sent = await request.form(max_files=0, max_fields=500)
    settings = await service.settings(session)
    given = {
        setting.name: (str(sent[setting.name])[:5000], str(sent.get(f"{setting.name}.unit", ""))[:10])
        for setting in settings
        if setting.name in sent
    }
    errors, changed = {}, {}
    async with session.begin_nested() as attempt:
        for setting in settings:
            if setting.name not in given:
                continue
            try:
                value = _typed(setting.kind, *given[setting.name])
                after = await change_setting(session, setting.name, value, changed_by=who.pseudonym)
            except InvalidInput as error:
                errors[setting.name] = gettext(request, REASONS.get(str(error.values.get("kind")), NO_VALUE))
                continue
            now_counts = after.model_dump(mode="json")[setting.name]
            if now_counts != setting.value:
                changed[setting.name] = {"from": setting.value, "to": now_counts}
        if errors:
            await attempt.rollback()
    if errors:
        return _settings_page(request, settings, status=422, errors=errors, given=given)
    for name, details in changed.items():
        audit(session, who, "setting.change", name, details)
    notices.forget(request.app)
    return redirect(f"/admin/settings?saved={','.join(changed)}")


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
async def live_page(request: Request, session: Session, who: Admin) -> Response:
    return render(request, "admin/live.html", live=await service.live(session, who.person_id))


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
    saved: str | None = None,
) -> Response:
    def words(setting: service.Setting, value: object) -> str:
        return in_words(setting.name, value, partial(gettext, request), language_of(request))

    say = partial(gettext, request)
    names = None if saved is None else set(saved.split(","))
    return render(
        request,
        "admin/settings.html",
        status=status,
        groups=service.grouped(settings),
        errors=errors or {},
        given=given or {},
        saved=None if names is None else [say(one.title) for one in settings if one.name in names],
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
