"""The practice page, the rules, and the practice game's answers for browsers whose own engine is still loading."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from games.protocol import GameError
from npc import practice, replays
from npc.levels import levels_of
from npc.player import PlayerError
from server.base.errors import N_, InvalidInput
from server.rules.service import describe, open_game
from server.study.games import GameOf, study_games
from server.web.dependencies import Session
from server.web.rendering import language_of, render

router = APIRouter(tags=["practice"])

Seed = Annotated[str, Query(min_length=1, max_length=64)]
Level = Annotated[str, Query(max_length=20)]
Moves = Annotated[str, Query(max_length=16_000, description="All moves so far, one per line.")]


LEVEL_TITLES: Final[Mapping[str, str]] = {
    "beginner": N_("Beginner"),
    "club": N_("Club player"),
    "master": N_("Master"),
}
"""What visitors call the levels of npc.levels."""


@router.get("/practice", include_in_schema=False)
async def practice_page(request: Request, session: Session, game: GameOf, level: Level = "") -> Response:
    """A game against programs: the one that is named, else the study's first; of a level, if one is named."""
    offered = await study_games(session)
    language = language_of(request)
    games = [describe(await open_game(session, one), one, language) for one in dict.fromkeys((*offered, game))]
    chosen = next(one for one in games if one.reference == game)
    levels = {one: LEVEL_TITLES[one] for one in levels_of(await open_game(session, game))}
    return render(
        request,
        "live/practice.html",
        game=chosen,
        games=games,
        in_study=game in offered,
        levels=levels,
        level=level if level in levels else "",
    )


@router.get("/rules", include_in_schema=False)
async def rules_page(request: Request, session: Session, game: GameOf) -> Response:
    """The rules of the game that is named, else of the study's first."""
    told = describe(await open_game(session, game), game, language_of(request))
    return render(request, "live/rules.html", **told._asdict())


@router.get("/api/replay")
async def replay_frames(session: Session, game: GameOf, moves: Moves) -> JSONResponse:
    """What every move of a match did, for boards that replay it; the same function as in the browser."""
    await open_game(session, game)
    try:
        return JSONResponse(await asyncio.to_thread(replays.of_moves, game, _read(moves)))
    except GameError as error:
        raise InvalidInput(str(error)) from error


@router.get("/api/practice")
async def practice_game(session: Session, game: GameOf, seed: Seed, moves: Moves = "") -> JSONResponse:
    """Play a practice game on; the same function as in the browser. Nothing is recorded.

    Only against drawn strategies: levels search, which is left to the browser of whoever wants to play them.
    """
    await open_game(session, game)
    try:
        return JSONResponse(await asyncio.to_thread(practice.advance, game, seed, _read(moves)))
    except (GameError, PlayerError) as error:
        raise InvalidInput(str(error)) from error


def _read(moves: str) -> list[str]:
    return moves.split("\n") if moves else []
