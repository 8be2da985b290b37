"""The practice page, the rules, and the practice game's answers for browsers whose own engine is still loading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from npc.levels import levels_of
from server.accounts.dependencies import rationed
from server.base.errors import N_, InvalidInput, Unavailable
from server.practice import answers
from server.programs.asking import TookTooLong
from server.programs.dependencies import ProgramsOf
from server.programs.service import Programs
from server.rules.service import describe, open_game, source_text
from server.study.games import GameOf, study_games
from server.web.dependencies import Session
from server.web.rendering import language_of, render

router = APIRouter(tags=["practice"])

Seed = Annotated[str, Query(min_length=1, max_length=64)]
Level = Annotated[str, Query(max_length=20)]
Moves = Annotated[str, Query(max_length=16_000, description="All moves so far, one per line.")]


EXAMPLE_DECISIONS: Final = 24
"""Of the example: about a minute to watch."""
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


@router.get("/api/replay", dependencies=[rationed("practice-account")])
async def replay_frames(session: Session, programs: ProgramsOf, game: GameOf, moves: Moves) -> JSONResponse:
    """What every move of a match did, for boards that replay it; the same function as in the browser."""
    source = await source_text(session, game)
    return await _answer(programs, answers.replay, source, game, _read(moves))


@router.get("/api/practice", dependencies=[rationed("practice-account")])
async def practice_game(
    session: Session, programs: ProgramsOf, game: GameOf, seed: Seed, moves: Moves = ""
) -> JSONResponse:
    """Play a practice game on; the same function as in the browser. Nothing is recorded.

    Only against drawn strategies: levels search, which is left to the browser of whoever wants to play them.
    """
    source = await source_text(session, game)
    return await _answer(programs, answers.advance, source, game, seed, _read(moves))


@router.get("/api/practice/example", dependencies=[rationed("practice-account")])
async def practice_example(session: Session, programs: ProgramsOf, game: GameOf) -> JSONResponse:
    """The beginning of a game among programs, always the same one: something to watch. It is no match of the study."""
    source = await source_text(session, game)
    return await _answer(programs, answers.example, source, game, EXAMPLE_DECISIONS)


async def _answer(programs: Programs, function: Callable[..., Mapping[str, Any]], *asked: Any) -> JSONResponse:
    try:
        answer = await programs.visit(function, *asked)
    except TookTooLong as late:
        raise Unavailable(
            N_("This takes the server too long. Your browser will do it once it has loaded the game.")
        ) from late
    if answers.REFUSED in answer:
        raise InvalidInput(answer[answers.REFUSED])
    return JSONResponse(answer)


def _read(moves: str) -> list[str]:
    return moves.split("\n") if moves else []
