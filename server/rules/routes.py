"""Games as pages and programs ask for them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import PlainTextResponse

from server.accounts.dependencies import rationed
from server.rules.lessons import lessons_of
from server.rules.service import describe, open_game, source_text
from server.web.dependencies import Session
from server.web.rendering import language_of, redirect, render

router = APIRouter(tags=["games"], dependencies=[rationed("source-account")])

Reference = Annotated[str, Path(min_length=1, max_length=200)]
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
"""A reference never changes its meaning."""


@router.get("/games/sources/{reference}", response_class=PlainTextResponse)
async def game_source(session: Session, reference: Reference) -> PlainTextResponse:
    """The source of a game; whoever reads it can check that it is the one its reference names."""
    return PlainTextResponse(await source_text(session, reference), headers=FOR_EVER)


@router.get("/api/games/{reference}")
async def game_card(request: Request, session: Session, reference: Reference) -> dict[str, Any]:
    """What a board has to know of a game, and what people read about it, in the reader's language."""
    game = await open_game(session, reference)
    language = language_of(request)
    told = describe(game, reference, language)._asdict() | {"lessons": lessons_of(game, language)}
    return {**told, "board": game.board, "letters": game.seats, "setup": game.setup(), "secrets": game.secrets}


@router.get("/games/{reference}/rules", include_in_schema=False)
async def rules_of_game(request: Request, session: Session, reference: Reference) -> Response:
    game = await open_game(session, reference)
    return render(request, "live/rules.html", **describe(game, reference, language_of(request))._asdict())


@router.get("/games/{reference}", include_in_schema=False)
async def game_page(reference: Reference) -> Response:
    return redirect(f"/games/{reference}/rules")
