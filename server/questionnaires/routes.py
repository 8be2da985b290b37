"""Pages where probands answer: after a match, and about themselves."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.dependencies import SignedIn
from server.accounts.sessions import Identity
from server.base.clock import now
from server.base.errors import NotFound
from server.live.models import Match
from server.live.records.matches import look_at, replay_of
from server.questionnaires import listeners, profile, repository, service
from server.questionnaires.content import AnswerKey, countries, missing
from server.questionnaires.forms import fields, read
from server.questionnaires.models import Sheet
from server.questionnaires.research_routes import router as research_router
from server.questionnaires.schemas import GivenAnswer, Saved
from server.rules.service import open_game
from server.study.dependencies import Participating
from server.web.dependencies import Session
from server.web.rendering import gettext, language_of, redirect, render

router = APIRouter()
router.include_router(research_router)

MatchId = Annotated[int, Path(ge=1, le=2**63 - 1)]


@router.get("/matches/{match_id}/questionnaire", include_in_schema=False)
async def questionnaire_page(request: Request, session: Session, who: Participating, match_id: MatchId) -> Response:
    sheet = await service.open_sheet(session, who.person_id, match_id)
    if sheet.finished_at is not None:
        return redirect(f"/matches/{match_id}/thanks")
    return await _page(request, session, who, sheet)


@router.post("/matches/{match_id}/questionnaire/answers")
async def save_answer(session: Session, who: Participating, match_id: MatchId, given: GivenAnswer) -> Saved:
    """Save one answer as it is given."""
    sheet = await _sheet(session, who.person_id, match_id)
    answers = await service.save_answer(session, sheet, given.item, given.seat, given.value, given.shown_ms)
    return Saved(missing=[_name(key) for key in missing(service.content(sheet), sheet.seats, answers)])


@router.post("/matches/{match_id}/questionnaire", include_in_schema=False)
async def finish(request: Request, session: Session, who: Participating, match_id: MatchId) -> Response:
    """The whole form at once: all that a browser without scripts sends, and what ends it in every browser."""
    sheet = await _sheet(session, who.person_id, match_id)
    form = await request.form()
    if form.get("then") == "skip":
        await service.skip(session, sheet)
        return redirect("/lobby")
    errors: dict[str, str] = {}
    if sheet.is_open:
        given = [(item.key, seat, value) for item, seat, value in read(service.content(sheet), sheet.seats, form)]
        for key, error in (await service.save_answers(session, sheet, given)).items():
            errors[_name(key)] = gettext(request, error.text, **error.values)
    if not errors:
        needed = gettext(request, "Please choose an answer.")
        errors = {_name(key): needed for key in await service.finish(session, sheet)}
    if errors:
        return await _page(request, session, who, sheet, errors=errors)
    await listeners.tell(session, who.person_id)
    return redirect(f"/matches/{match_id}/thanks")


@router.get("/questionnaires", include_in_schema=False)
async def unfinished(request: Request, session: Session, who: SignedIn) -> Response:
    at = now()
    sheets = await repository.open_sheets(session, who.person_id, at)
    unasked = await repository.unasked_matches(session, who.person_id, at - service.OFFERED)
    return render(request, "questionnaires/unfinished.html", sheets=sheets, unasked=unasked)


@router.get("/account/profile", include_in_schema=False)
async def profile_page(request: Request, session: Session, who: SignedIn, saved: bool = False) -> Response:
    sheet, answers = await profile.current(session, who.person_id)
    content = service.content(sheet)
    return render(
        request,
        "questionnaires/profile.html",
        content=content,
        fields=fields(content, answers, None, "person"),
        countries=countries(language_of(request)),
        errors={},
        saved=saved,
    )


@router.post("/account/profile", include_in_schema=False)
async def save_profile(request: Request, session: Session, who: Participating) -> Response:
    sheet, _ = await profile.current(session, who.person_id)
    content = service.content(sheet)
    given = {item.key: value for item, _, value in read(content, [], await request.form())}
    errors = await profile.save(session, sheet, given)
    await listeners.tell(session, who.person_id)
    if not errors:
        return redirect("/account/profile?saved=true")
    _, answers = await profile.current(session, who.person_id)
    return render(
        request,
        "questionnaires/profile.html",
        status=422,
        content=content,
        fields=fields(content, answers, None, "person"),
        countries=countries(language_of(request)),
        errors=errors,
        saved=False,
    )


async def _sheet(session: AsyncSession, person_id: int, match_id: int) -> Sheet:
    """The person's sheet, locked: two tabs answer one after the other."""
    sheet = await repository.sheet_about(session, person_id, match_id, lock=True)
    if sheet is None:
        raise NotFound
    return sheet


async def _page(
    request: Request, session: AsyncSession, who: Identity, sheet: Sheet, errors: dict[str, str] | None = None
) -> Response:
    assert sheet.match_id is not None, "the profile has a page of its own"
    replay = replay_of(await look_at(session, sheet.match_id, who)) if sheet.is_open else None
    content, answers = service.content(sheet), await repository.current_answers(session, sheet.id)
    played = (await session.scalars(select(Match.game).where(Match.id == sheet.match_id))).one()
    game = await open_game(session, played)
    names = game.texts(language_of(request)).seats
    return render(
        request,
        "questionnaires/after_match.html",
        status=422 if errors else 200,
        sheet=sheet,
        # A researcher who plays judges as blindly as everybody; a sheet that is closed shows no match.
        replay=replay and replay.model_copy(update={"seats": None}),
        content=content,
        seats=[(seat, names[seat], fields(content, answers, seat, "seat")) for seat in sheet.seats],
        match_fields=fields(content, answers, None, "match"),
        countries=[],
        errors=errors or {},
        missing=missing(content, sheet.seats, answers),
        may_skip=await service.may_skip(session, sheet.person_id),
    )


def _name(key: AnswerKey) -> str:
    item, seat = key
    return item if seat is None else f"{item}.{seat}"
