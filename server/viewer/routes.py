"""The researchers' replay viewer: a list of matches, a match with all that is known of it, and books from the disk."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.dependencies import Researcher, Session
from server.live.record import look_at, replay_of
from server.viewer import service
from server.viewer.schemas import Notes
from server.web import render

router = APIRouter()

MatchId = Annotated[int, Path(ge=1, le=2**63 - 1)]


@router.get("/research/matches", response_class=Response)
async def matches_page(
    request: Request,
    session: Session,
    _: Researcher,
    strategy: Annotated[str, Query(max_length=200)] = "",
    before: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
) -> Response:
    found = await service.matches(session, strategy=strategy.replace("\x00", ""), before=before)
    older = found[-1].id if len(found) == service.PAGE else None
    return render(request, "research/matches.html", matches=found, strategy=strategy, older=older)


@router.get("/research/matches/{match_id}", response_class=Response)
async def match_page(request: Request, session: Session, who: Researcher, match_id: MatchId) -> Response:
    """The match with the explanation of every decision, the judges' verdicts, and the panel's alternatives."""
    replay = replay_of(await look_at(session, match_id, who))
    persons = await service.sitters(session, match_id)
    return render(request, "research/match.html", replay=replay, match_id=match_id, persons=persons)


@router.get("/research/replay", response_class=Response)
async def replay_page(request: Request, _: Researcher) -> Response:
    """For books from the disk."""
    return render(request, "research/replay.html")


@router.get("/api/research/matches/{match_id}/notes")
async def match_notes(session: Session, who: Researcher, match_id: MatchId) -> Notes:
    """What is known about a match beyond its moves."""
    replay_of(await look_at(session, match_id, who))  # whoever may not replay it may not read this either
    return await service.notes(session, match_id)
