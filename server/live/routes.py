"""Pages and data of live play; the sockets are in sockets.py."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import PlainTextResponse

from server.accounts.dependencies import Session, SignedIn
from server.live import sockets
from server.live.config import LiveConfig
from server.live.interactions import MOST_BYTES, TooMuchData, read_batch, store
from server.live.record import DiceRecord, Replay, book_of, dice_of, look_at, replay_of
from server.live.runtime import Live
from server.study.consent import Kind, has_consent
from server.study.dependencies import Consenting
from server.web import render


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with Live(app.state.database, LiveConfig()).running() as live:
        app.state.live = live
        yield


router = APIRouter(tags=["live"], lifespan=lifespan)
router.routes.extend(sockets.ROUTES)


@router.get("/lobby", include_in_schema=False)
async def lobby_page(request: Request, who: Consenting) -> Response:
    live: Live = request.app.state.live
    if await live.lobby.is_closed(who.person_id):
        return render(request, "live/closed.html", status=503)
    return render(request, "live/lobby.html")


@router.get("/matches/{match_id}", include_in_schema=False)
async def match_page(request: Request, match_id: int, session: Session, who: SignedIn) -> Response:
    """The board for those who play, the replay for those who may see it."""
    viewed = await look_at(session, match_id, who)
    if viewed.plays:
        logs = await has_consent(session, who.person_id, Kind.INTERACTION_LOG)
        return render(request, "live/match.html", match_id=match_id, logs_interactions=logs)
    return render(request, "live/replay.html", match_id=match_id, replay=replay_of(viewed))


@router.get("/matches/{match_id}/verify", include_in_schema=False)
async def verify_page(request: Request, match_id: int, session: Session, who: SignedIn) -> Response:
    """The page that draws every die again in the browser."""
    viewed = await look_at(session, match_id, who)
    return render(request, "live/verify.html", match_id=match_id, dice=dice_of(viewed))


@router.get("/matches/{match_id}/book", response_class=PlainTextResponse)
async def match_book(match_id: int, session: Session, who: SignedIn) -> str:
    """The match as a game play book."""
    return book_of(await look_at(session, match_id, who))


@router.get("/api/matches/{match_id}")
async def match_replay(match_id: int, session: Session, who: SignedIn) -> Replay:
    """The match move by move; for researchers with who was who."""
    return replay_of(await look_at(session, match_id, who))


@router.get("/api/matches/{match_id}/dice")
async def match_dice(match_id: int, session: Session, who: SignedIn) -> DiceRecord:
    """Seed, commitment and moves of a finished match; games.dice.verify checks them."""
    return dice_of(await look_at(session, match_id, who))


@router.post("/api/matches/{match_id}/interactions", status_code=204)
async def match_interactions(request: Request, match_id: int, session: Session, who: SignedIn) -> None:
    """A batch of the interaction log, as JSON that may be compressed (Content-Encoding: gzip)."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise TooMuchData
    batch = read_batch(bytes(body), request.headers.get("content-encoding", ""))
    await store(session, match_id, who.person_id, batch)
