"""What retention would do, for admins; free texts to check, for researchers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.dependencies import Admin, Researcher, rationed
from server.retention import free_texts, service
from server.web.dependencies import Session, SettingsOf
from server.web.rendering import redirect, render

router = APIRouter(dependencies=[rationed("study-account")])


@router.get("/admin/retention", include_in_schema=False)
async def dry_run(request: Request, session: Session, settings: SettingsOf, _: Admin) -> Response:
    """The dry run: what the next nightly run will do."""
    return render(request, "admin/retention.html", plan=await service.plan(session, settings))


@router.get("/research/free-texts", include_in_schema=False)
async def free_texts_page(request: Request, session: Session, _: Researcher) -> Response:
    return render(request, "research/free_texts.html", texts=await free_texts.to_check(session))


@router.post("/research/free-texts/{answer_id}", include_in_schema=False)
async def check_free_text(
    session: Session,
    who: Researcher,
    answer_id: Annotated[int, Path(ge=1, le=2**63 - 1)],
    text: Annotated[str, Form()] = "",
) -> Response:
    await free_texts.check(session, answer_id, text.replace("\r\n", "\n").replace("\x00", "").strip(), who.pseudonym)
    return redirect("/research/free-texts")
