"""The researchers' replay viewer: a list of matches, a match with all that is known of it, and books from the disk."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.dependencies import Researcher, rationed
from server.live.records.judging import Judge, judges_of
from server.live.records.matches import look_at, replay_of, require_judged
from server.programs.dependencies import ProgramsOf
from server.rules.service import open_game
from server.study.games import titled
from server.viewer import service
from server.viewer.schemas import Notes, Trace
from server.viewer.traces import traces_as_json
from server.web.dependencies import Session
from server.web.rendering import language_of, render

router = APIRouter(dependencies=[rationed("viewer-account")])

MatchId = Annotated[int, Path(ge=1, le=2**63 - 1)]


@router.get("/research/matches", response_class=Response)
async def matches_page(
    request: Request,
    session: Session,
    who: Researcher,
    strategy: Annotated[str, Query(max_length=200)] = "",
    before: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
) -> Response:
    found = await service.matches(session, strategy=strategy.replace("\x00", ""), before=before)
    older = found[-1].id if len(found) == service.PAGE else None
    judges = await judges_of(session, [match.id for match in found])
    found = [match for match in found if Judge(match.id, who.person_id) not in judges]  # who plays, judges first
    titles = dict(await titled(session, {match.game for match in found}, language_of(request)))
    return render(request, "research/matches.html", matches=found, strategy=strategy, older=older, titles=titles)


@router.get("/research/matches/{match_id}", response_class=Response)
async def match_page(request: Request, session: Session, who: Researcher, match_id: MatchId) -> Response:
    """The match with the explanation of every decision, the judges' verdicts, and the panel's alternatives."""
    viewed = await look_at(session, match_id, who)
    replay = replay_of(viewed)
    require_judged(viewed)
    persons = await service.sitters(session, match_id)
    game = (await open_game(session, replay.game)).texts(language_of(request))
    return render(
        request,
        "research/match.html",
        replay=replay,
        match_id=match_id,
        persons=persons,
        game=game,
        simulated=viewed.match.simulated,
    )


@router.get("/research/replay", response_class=Response)
async def replay_page(request: Request, _: Researcher) -> Response:
    """For books from the disk."""
    return render(request, "research/replay.html")


@router.get("/api/research/matches/{match_id}/notes")
async def match_notes(session: Session, programs: ProgramsOf, who: Researcher, match_id: MatchId) -> Notes:
    """What is known about a match beyond its moves."""
    viewed = await look_at(session, match_id, who)
    replay_of(viewed)  # whoever may not replay it may not read this either
    require_judged(viewed)
    return await service.notes(session, programs, match_id)


@router.get("/api/research/matches/{match_id}/traces", response_model=list[Trace])
async def match_traces(session: Session, who: Researcher, match_id: MatchId) -> Response:
    """How those who agreed to it used the board."""
    viewed = await look_at(session, match_id, who)
    replay_of(viewed)
    require_judged(viewed)
    return Response(await traces_as_json(session, match_id), media_type="application/json")
