"""The page about what was answered in questionnaires."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.dependencies import Researcher, rationed
from server.dashboards import results
from server.questionnaires import editing
from server.questionnaires.content import Questionnaire
from server.study.games import GameChoiceOf
from server.web.dependencies import Session
from server.web.rendering import render

router = APIRouter(prefix="/research", dependencies=[rationed("study-account")])


@router.get("/results", response_class=Response)
async def results_page(
    request: Request,
    session: Session,
    _: Researcher,
    games: GameChoiceOf,
    version: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
    first: Annotated[str, Query(max_length=40)] = "",
    second: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """What was answered in one version after matches of a game: distributions, and a cross table of two items."""
    versions = [found for found, _ in await editing.versions(session) if found.state != "draft"]
    chosen = next((found for found in versions if found.id == version), None) or versions[0]
    items = [item for item in Questionnaire.model_validate(chosen.content).items if item.type == "choice"]
    return render(
        request,
        "research/results.html",
        versions=versions,
        games=games,
        version=chosen,
        distributions=await results.distributions(session, chosen, games.chosen),
        items=items,
        first=first,
        second=second or (items[1].key if len(items) > 1 else ""),  # nobody wants a question crossed with itself
        table=await results.cross_table(session, chosen, games.chosen, first, second) if first and second else None,
    )
