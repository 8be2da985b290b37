"""My matches, and the page that thanks for the answers about one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from sqlalchemy import select

from server.accounts.dependencies import SignedIn, rationed
from server.base.errors import NotFound
from server.findings.service import published
from server.live.models import Match, MatchSeat
from server.participation.matches import PAGE, own_matches
from server.participation.standing import LEAST, standing_of
from server.questionnaires.repository import sheet_about
from server.rules.service import describe, open_game
from server.study.dependencies import Participating
from server.study.games import titled
from server.study.settings import read_settings
from server.web.dependencies import Session
from server.web.rendering import language_of, redirect, render

router = APIRouter(tags=["participation"])

MatchId = Annotated[int, Path(ge=1, le=2**63 - 1)]
LATEST_FINDINGS = 3


@router.get("/matches", include_in_schema=False, dependencies=[rationed("page-account")])
async def my_matches_page(
    request: Request,
    session: Session,
    who: SignedIn,
    before: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
) -> Response:
    """What one has played, with replays and questionnaires."""
    found = await own_matches(session, who.person_id, before)
    matches = found[:PAGE]
    return render(
        request,
        "participation/matches.html",
        matches=matches,
        titles=dict(await titled(session, {match.game for match in matches}, language_of(request))),
        older=matches[-1].id if len(found) > PAGE else None,
        first=before is None,
        standing=await standing_of(session, who.person_id),
        least=LEAST,
    )


@router.get("/matches/{match_id}/thanks", include_in_schema=False)
async def thanks_page(request: Request, session: Session, who: Participating, match_id: MatchId) -> Response:
    """After the answers: how one stands, what the study has found, who was what where the study tells it, and on."""
    sheet = await sheet_about(session, who.person_id, match_id)
    if sheet is None:
        raise NotFound
    if sheet.finished_at is None:
        return redirect(f"/matches/{match_id}/questionnaire")
    settings = await read_settings(session)
    played = (await session.scalars(select(Match.game).where(Match.id == match_id))).one()
    game = describe(await open_game(session, played), played, language_of(request))
    seats = await session.scalars(select(MatchSeat).where(MatchSeat.match_id == match_id).order_by(MatchSeat.seat))
    return render(
        request,
        "participation/thanks.html",
        match_id=match_id,
        game=game,
        offered=played in settings.games,
        revealed=[seat for seat in seats if seat.seat in sheet.seats] if settings.reveal_after_answering else None,
        standing=await standing_of(session, who.person_id),
        least=LEAST,
        findings=(await published(session))[:LATEST_FINDINGS],
    )
