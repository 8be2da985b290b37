"""The practice page, the rules, and the practice game's answers for browsers whose own engine is still loading."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from games.protocol import GameError
from npc import practice, replays
from server.errors import InvalidInput
from server.web import render

router = APIRouter(tags=["practice"])

Seed = Annotated[str, Query(min_length=1, max_length=64)]
Moves = Annotated[str, Query(max_length=8_000, description="All moves so far, separated by commas.")]


@router.get("/practice", include_in_schema=False)
async def practice_page(request: Request) -> Response:
    return render(request, "live/practice.html")


@router.get("/rules", include_in_schema=False)
async def rules_page(request: Request) -> Response:
    return render(request, "live/rules.html")


@router.get("/api/replay")
def replay_frames(moves: Moves, game: Annotated[str, Query(max_length=80)] = "jostle") -> JSONResponse:
    """What every move of a match did, for boards that replay it; the same function as in the browser."""
    try:
        return JSONResponse(replays.of_moves(game, moves.split(",") if moves else []))
    except GameError as error:
        raise InvalidInput(str(error)) from error


@router.get("/api/practice")
def practice_game(seed: Seed, moves: Moves = "") -> JSONResponse:
    """Play a practice game on; the same function as in the browser. Nothing is recorded."""
    try:
        return JSONResponse(practice.advance(seed, moves.split(",") if moves else []))
    except GameError as error:
        raise InvalidInput(str(error)) from error
