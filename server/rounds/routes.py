"""The admins' pages about rounds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from lab.refinement import PRESETS, pool_of
from server.accounts.dependencies import Admin, rationed
from server.accounts.sessions import Identity
from server.base.errors import GrintuError, InvalidInput, NotFound
from server.ratings.repository import counts
from server.rounds import repository, service
from server.rounds.meanings import MEANINGS
from server.rounds.models import Round
from server.rounds.reasons import told
from server.rounds.schemas import CHOICES, RoundForm, ScheduleForm
from server.rounds.simulated_probands import SimulatedProbands
from server.rounds.tree import family_tree
from server.rules.service import open_game
from server.study.games import GameOf, all_games, titled
from server.web.dependencies import Session
from server.web.forms import Filled, describe, empty, filled
from server.web.rendering import gettext, language_of, redirect, render

router = APIRouter(dependencies=[rationed("study-account")])
RoundId = Annotated[int, Path(ge=1, le=2**63 - 1)]
FormOf = Annotated[Filled[RoundForm], Depends(filled(RoundForm))]
ACTIONS: dict[str, Callable[[AsyncSession, Identity, int], Awaitable[Round]]] = {
    "pause": service.pause,
    "resume": service.resume,
    "cancel": service.cancel,
}


@router.get("/admin/rounds", include_in_schema=False)
async def rounds_page(request: Request, session: Session, _: Admin) -> Response:
    found = await repository.all_rounds(session)
    titles = dict(await titled(session, {round_.game for round_ in found}, language_of(request)))
    return render(request, "admin/rounds.html", rounds=found, titles=titles)


@router.get("/admin/rounds/new", include_in_schema=False)
async def new_page(request: Request, session: Session, _: Admin, game: GameOf) -> Response:
    form = empty(game=game, preset="recommended", seed="1", when="satisfied", persons="100", judgements="30")
    return await _form_page(request, session, form)


@router.post("/admin/rounds", openapi_extra=describe(RoundForm), response_class=Response)
async def create(request: Request, session: Session, who: Admin, form: FormOf) -> Response:
    if form.data is None:
        return await _form_page(request, session, form, 422)
    data = form.data
    when, step_at = data.schedule
    try:
        if data.planted:  # also while nobody is simulated: what stands in a form is understood or refused
            service.planting(SimulatedProbands(data.planted), pool_of(await open_game(session, data.game)))
        round_ = await service.create(
            session,
            who,
            name=data.name,
            game=data.game,
            seed=data.seed,
            settings=data.settings,
            population=data.lines,
            schedule=when,
            step_at=step_at,
            simulation=data.simulation,
        )
    except GrintuError as error:
        form.errors["form"] = gettext(request, error.text, **error.values)
        return await _form_page(request, session, form, error.status)
    return redirect(f"/admin/rounds/{round_.id}")


@router.get("/admin/rounds/{round_id}", include_in_schema=False)
async def round_page(request: Request, session: Session, _: Admin, round_id: RoundId) -> Response:
    round_ = await repository.find(session, round_id)
    if round_ is None:
        raise NotFound
    members = await repository.members(session, round_id)
    strategies: dict[str, dict[str, Any]] = round_.progress.get("strategies", {})
    if round_.active and round_.looked_at is None:  # what there is already, although nobody has looked at the ratings
        so_far = await counts(session, round_.game, strategies)
        strategies = {name: {**one, "judgements": so_far.get(name, 0)} for name, one in strategies.items()}
    known = {name: one["believability"] for name, one in strategies.items() if one["judgements"] and round_.looked_at}
    return render(
        request,
        "admin/round.html",
        round=round_,
        title=(await titled(session, [round_.game], language_of(request)))[0][1],
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


async def _form_page(request: Request, session: AsyncSession, form: Filled[Any], status: int = 200) -> Response:
    presets = {name: asdict(settings) for name, settings in PRESETS.items()}
    games = await titled(session, await all_games(session), language_of(request))
    return render(
        request,
        "admin/round_new.html",
        status=status,
        form=form,
        presets=presets,
        meanings=MEANINGS,
        choices={name: sorted(values) for name, values in CHOICES.items()},
        games=games,
    )
