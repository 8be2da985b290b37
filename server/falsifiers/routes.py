"""The researchers' page of falsifier flags."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.dependencies import Researcher, rationed
from server.falsifiers import service
from server.falsifiers.meanings import MEANINGS
from server.falsifiers.models import FlagState
from server.web.dependencies import Session
from server.web.rendering import redirect, render

router = APIRouter(prefix="/research/flags", dependencies=[rationed("study-account")])


@router.get("", include_in_schema=False)
async def flags_page(
    request: Request, session: Session, _: Researcher, state: Annotated[str, Query(max_length=20)] = "raised"
) -> Response:
    chosen = state if state in list(FlagState) else None
    return render(
        request,
        "research/flags.html",
        flags=await service.flags(session, chosen),
        meanings=MEANINGS,
        chosen=chosen,
        states=list(FlagState),
    )


@router.post("/{person_id}/{name}", include_in_schema=False)
async def decide(
    session: Session,
    who: Researcher,
    person_id: Annotated[int, Path(ge=1, le=2**63 - 1)],
    name: Annotated[str, Path(max_length=40)],
    decision: Annotated[str, Form()],
) -> Response:
    await service.decide(session, person_id, name, decision, who.pseudonym)
    return redirect("/research/flags")
