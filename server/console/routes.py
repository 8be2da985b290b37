"""The console's pages. Everything that an admin changes here is in the audit log."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.audit import audit
from server.accounts.dependencies import Admin, Session
from server.console import service
from server.errors import InvalidInput
from server.study.settings import change_setting, setting_history
from server.web import gettext, redirect, render

router = APIRouter(prefix="/admin")


@router.get("/settings", response_class=Response)
async def settings_page(request: Request, session: Session, _: Admin) -> Response:
    return render(request, "admin/settings.html", settings=await service.settings(session), errors={}, given={})


@router.post("/settings/{name}", response_class=Response)
async def change(request: Request, session: Session, who: Admin, name: Annotated[str, Path(max_length=60)]) -> Response:
    """Give a setting a new value; the old one stays in its history."""
    given = str((await request.form()).get("value", ""))[:200]
    settings = await service.settings(session)
    before = next((setting for setting in settings if setting.name == name), None)
    try:
        await change_setting(session, name, _typed(before.kind if before else "text", given), changed_by=who.pseudonym)
    except InvalidInput as error:
        errors = {name: gettext(request, error.text, **error.values)}
        return render(request, "admin/settings.html", status=422, settings=settings, errors=errors, given={name: given})
    assert before is not None, "an unknown name was refused"
    audit(session, who, "setting.change", name, {"from": before.value, "to": given})
    return redirect(f"/admin/settings#{name}")


@router.get("/settings/{name}", response_class=Response)
async def history_page(
    request: Request, session: Session, _: Admin, name: Annotated[str, Path(max_length=60)]
) -> Response:
    return render(request, "admin/setting.html", name=name, history=await setting_history(session, name))


@router.get("/live", response_class=Response)
async def live_page(request: Request, session: Session, _: Admin) -> Response:
    return render(request, "admin/live.html", live=await service.live(session))


def _typed(kind: str, given: str) -> Any:
    """What a form's text means for a setting; what is no number stays text and is refused with a reason."""
    if kind == "switch":
        return given == "true"
    try:
        return int(given) if kind == "whole" else float(given) if kind in ("seconds", "number") else given
    except ValueError:
        return given
