"""The lobby: its page and its socket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import APIRouter, FastAPI, Query, Request, Response

from server.matchmaking import socket
from server.matchmaking.runtime import Matchmaking
from server.rules.service import NoSuchGame, describe, open_game
from server.study.dependencies import Consenting
from server.study.games import chosen_game
from server.study.settings import read_settings
from server.web.dependencies import Session
from server.web.rendering import language_of, render


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Live play has begun by then: routers start in the order of their domains' names, and stop in reverse."""
    async with Matchmaking(app.state.database, app.state.live).running() as matchmaking:
        app.state.matchmaking = matchmaking
        yield


router = APIRouter(tags=["live"], lifespan=lifespan)
router.routes.append(socket.ROUTE)


@router.get("/lobby", include_in_schema=False)
async def lobby_page(
    request: Request,
    session: Session,
    who: Consenting,
    game: Annotated[str | None, Query(max_length=200, pattern=r"^[^\x00]*$")] = None,
) -> Response:
    """The wait for a table of a game; where several are offered and none is named, the choice between them."""
    matchmaking: Matchmaking = request.app.state.matchmaking
    if await matchmaking.lobby.is_closed(who.person_id):
        return render(request, "live/closed.html", status=503)
    offered = (await read_settings(session)).games
    wanted = await chosen_game(session, game) if game or len(offered) == 1 else None
    if wanted is not None and wanted not in offered:
        raise NoSuchGame(wanted)
    language = language_of(request)
    games = [describe(await open_game(session, one), one, language) for one in offered]
    chosen = next((one for one in games if one.reference == wanted), None)
    usual = await matchmaking.usual.of_today(session)
    return render(request, "live/lobby.html", games=games, game=chosen, usual=usual)
