"""The researchers' pages of games: all that there are, a draft with its findings and its board, and one game."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Form, Path, Query, Request, Response

from games import registry
from npc.levels import levels_of
from server.accounts.dependencies import Researcher, rationed
from server.accounts.limits import holding, take
from server.base.errors import N_, GrintuError, InvalidInput
from server.practice.routes import LEVEL_TITLES
from server.programs.dependencies import ProgramsOf
from server.rules import repository
from server.rules.service import Description, add_source, describe, open_game
from server.study.games import study_games
from server.web.dependencies import DatabaseOf, Session, SettingsOf
from server.web.rendering import gettext, language_of, redirect, render
from server.workshop import service
from server.workshop.examining import preview
from server.workshop.service import Draft, Examination

router = APIRouter(prefix="/research/games", include_in_schema=False, dependencies=[rationed("study-account")])

Reference = Annotated[str, Path(min_length=1, max_length=200)]
BUSY = N_("Another trial of yours is still running. Please wait for it.")
DESCRIBED: Final = "gdl"
"""The kind that a new game has unless another one is chosen: any game can be described in it."""
ADD: Final = "add"


@router.get("")
async def games_page(request: Request, session: Session, _: Researcher) -> Response:
    return render(
        request,
        "research/games.html",
        games=await repository.all_of_them(session),
        library=await asyncio.to_thread(_library, language_of(request)),
        offered=await study_games(session),
    )


@router.get("/new")
async def draft_page(
    request: Request, session: Session, _: Researcher, like: Annotated[str, Query(max_length=200)] = ""
) -> Response:
    """A form for a new game; with `like` it begins with the source of another."""
    if not like:
        return _draft_page(request, Draft(DESCRIBED, ""))
    game = await open_game(session, like)
    return _draft_page(request, Draft.of(game.kind, game.source, ""))


@router.post("")
async def examine_or_add(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    programs: ProgramsOf,
    who: Researcher,
    kind: Annotated[str, Form(max_length=40)] = "",
    title: Annotated[str, Form(max_length=400)] = "",
    source: Annotated[str, Form()] = "",
    look: Annotated[str, Form()] = "",
    action: Annotated[str, Form(max_length=10)] = ADD,
) -> Response:
    """Examine a draft, and keep it if that is wanted and nothing speaks against it.

    It is offered to people when it is put into the study.
    """
    await take(database, settings, "trial-account", str(who.account_id))
    draft = Draft.of(kind, source, look)
    async with holding(database, settings, "trial-running", str(who.account_id), BUSY):
        found = await service.examined(programs, draft, language_of(request))
    if found.refused or action != ADD:
        return _draft_page(request, draft, found, title)
    try:
        row = await add_source(session, draft.kind, draft.source, title, who)
    except GrintuError as error:
        refused = Examination(error.text, dict(error.values), found.remarks, found.told)
        return _draft_page(request, draft, refused, title)
    return redirect(f"/research/games/{row.reference}")


@router.get("/{reference}")
async def game_page(request: Request, session: Session, _: Researcher, reference: Reference) -> Response:
    return await _game_page(request, session, reference)


@router.post("/{reference}")
async def offer(
    request: Request, session: Session, who: Researcher, reference: Reference, offered: Annotated[bool, Form()]
) -> Response:
    """Put the game into the study, or take it out."""
    try:
        await service.offer(session, reference, offered, who)
    except InvalidInput as error:
        return await _game_page(request, session, reference, gettext(request, error.text, **error.values))
    return redirect(f"/research/games/{reference}")


def _draft_page(request: Request, draft: Draft, found: Examination | None = None, title: str = "") -> Response:
    refused = gettext(request, found.refused, **found.values) if found is not None and found.refused else ""
    return render(
        request,
        "research/game_draft.html",
        status=422 if refused else 200,
        kinds=[(key, key) for key in (DESCRIBED, *(key for key in registry.KINDS if key != DESCRIBED))],
        draft=draft,
        found=found,
        error=refused,
        title=title,
    )


async def _game_page(request: Request, session: Session, reference: str, error: str = "") -> Response:
    game = await open_game(session, reference)
    row = await repository.find(session, game.reference)
    draft = Draft.of(game.kind, game.source, "")
    return render(
        request,
        "research/game.html",
        status=422 if error else 200,
        game=describe(game, game.reference, language_of(request)),
        row=row,
        draft=draft,
        preview=preview(game, language_of(request)),
        remarks=service.noticed(game, draft),
        levels={one: LEVEL_TITLES[one] for one in levels_of(game)},
        offered=game.reference in await study_games(session),
        error=error,
    )


def _library(language: str) -> list[Description]:
    """Opening all of them takes a while at first."""
    return [describe(registry.game(reference), reference, language) for reference in registry.shelf()]
