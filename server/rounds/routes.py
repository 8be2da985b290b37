"""The admins' pages about rounds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from lab.refinement import PRESETS
from server.accounts.dependencies import Admin, Session
from server.accounts.sessions import Identity
from server.errors import GrintuError, InvalidInput, NotFound
from server.forms import Filled, describe, empty, filled
from server.rounds import repository, service
from server.rounds.meanings import MEANINGS
from server.rounds.models import Round
from server.rounds.reasons import told
from server.rounds.schemas import DOCUMENTED_TEXT, GAMES, RoundForm, ScheduleForm
from server.rounds.tree import family_tree
from server.web import gettext, redirect, render

router = APIRouter()
RoundId = Annotated[int, Path(ge=1, le=2**63 - 1)]
FormOf = Annotated[Filled[RoundForm], Depends(filled(RoundForm))]
ACTIONS: dict[str, Callable[[AsyncSession, Identity, int], Awaitable[Round]]] = {
    "pause": service.pause,
    "resume": service.resume,
    "cancel": service.cancel,
}


@router.get("/admin/rounds", include_in_schema=False)
async def rounds_page(request: Request, session: Session, _: Admin) -> Response:
    return render(request, "admin/rounds.html", rounds=await repository.all_rounds(session))


@router.get("/admin/rounds/new", include_in_schema=False)
async def new_page(request: Request, _: Admin) -> Response:
    form = empty(game=GAMES[0], preset="recommended", population=DOCUMENTED_TEXT, seed="1", when="satisfied")
    form.values.update(planted="Observing,Lingering", persons="100", judgements="30")
    return _form_page(request, form)


@router.post("/admin/rounds", openapi_extra=describe(RoundForm), response_class=Response)
async def create(request: Request, session: Session, who: Admin, form: FormOf) -> Response:
    if form.data is None:
        return _form_page(request, form, 422)
    data = form.data
    when, step_at = data.schedule
    try:
        round_ = await service.create(
            session,
            who,
            name=data.name,
            game=data.game,
            seed=data.seed,
            settings=data.settings,
            population=data.strategies,
            schedule=when,
            step_at=step_at,
            simulation=data.simulation,
        )
    except GrintuError as error:
        form.errors["form"] = gettext(request, error.text, **error.values)
        return _form_page(request, form, error.status)
    return redirect(f"/admin/rounds/{round_.id}")


@router.get("/admin/rounds/{round_id}", include_in_schema=False)
async def round_page(request: Request, session: Session, _: Admin, round_id: RoundId) -> Response:
    round_ = await repository.find(session, round_id)
    if round_ is None:
        raise NotFound
    members = await repository.members(session, round_id)
    strategies: dict[str, dict[str, Any]] = round_.progress.get("strategies", {})
    known = {name: one["believability"] for name, one in strategies.items() if one["judgements"]}
    return render(
        request,
        "admin/round.html",
        round=round_,
        steps=(await repository.steps(session, round_id))[::-1],
        members=members,
        tree=family_tree(members, known),
        strategies=strategies,
        humans=round_.progress.get("humans"),
        meanings=MEANINGS,
        why=partial(told, say=partial(gettext, request)),
    )


@router.post("/admin/rounds/{round_id}/schedule", openapi_extra=describe(ScheduleForm), response_class=Response)
async def change_schedule(
    session: Session,
    who: Admin,
    round_id: RoundId,
    form: Annotated[Filled[ScheduleForm], Depends(filled(ScheduleForm))],
) -> Response:
    if form.data is None:
        raise InvalidInput(" ".join(form.errors.values()))
    await service.schedule(session, who, round_id, *form.data.schedule)
    return redirect(f"/admin/rounds/{round_id}")


@router.post("/admin/rounds/{round_id}/{action}", response_class=Response)
async def act(session: Session, who: Admin, round_id: RoundId, action: str) -> Response:
    """Pause, resume or cancel."""
    if action not in ACTIONS:
        raise NotFound
    await ACTIONS[action](session, who, round_id)
    return redirect(f"/admin/rounds/{round_id}")


def _form_page(request: Request, form: Filled[Any], status: int = 200) -> Response:
    presets = {name: asdict(settings) for name, settings in PRESETS.items()}
    return render(request, "admin/round_new.html", status=status, form=form, presets=presets, meanings=MEANINGS)
