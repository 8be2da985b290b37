"""Pages and data of live play; the sockets are in sockets.py."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import PlainTextResponse

from server.accounts.dependencies import SignedIn, rationed
from server.live.config import LiveConfig
from server.live.records.interactions import MOST_BYTES, TooMuchData, read_batch, require_open, store
from server.live.records.matches import (
    DiceRecord,
    MatchCourse,
    MatchReplay,
    book_of,
    course_of,
    dice_of,
    look_at,
    may_know_seed,
    replay_of,
)
from server.live.records.running import RunningMatch, running_match
from server.live.runtime import Live
from server.live.sockets import endpoints as sockets
from server.rules.service import describe
from server.study.consent import ConsentKind, has_consent
from server.web.dependencies import DatabaseOf, Session
from server.web.rendering import language_of, render


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with Live(app.state.database, LiveConfig(), app.state.programs).running() as live:
        app.state.live = live
        yield


router = APIRouter(tags=["live"], lifespan=lifespan, dependencies=[rationed("match-account")])
router.routes.append(sockets.ROUTE)


@router.get("/matches/{match_id}", include_in_schema=False)
async def match_page(request: Request, match_id: int, session: Session, who: SignedIn) -> Response:
    """The board for those who play, the replay for those who may see it."""
    viewed = await look_at(session, match_id, who)
    if viewed.plays:
        logs = await has_consent(session, who.person_id, ConsentKind.INTERACTION_LOG)
        game = describe(viewed.game, viewed.match.game, language_of(request))
        return render(request, "live/match.html", match_id=match_id, game=game, logs_interactions=logs)
    if viewed.left:
        return render(
            request, "live/replaced.html", game=describe(viewed.game, viewed.match.game, language_of(request))
        )
    dice_told = may_know_seed(viewed.match, who.person_id, viewed.judges)
    return render(request, "live/replay.html", match_id=match_id, replay=replay_of(viewed), dice_told=dice_told)


@router.get("/matches/{match_id}/verify", include_in_schema=False)
async def verify_page(request: Request, match_id: int, session: Session, who: SignedIn) -> Response:
    """The page that draws every die again in the browser."""
    viewed = await look_at(session, match_id, who)
    return render(request, "live/verify.html", match_id=match_id, dice=dice_of(viewed))


@router.get("/matches/{match_id}/book", response_class=PlainTextResponse)
async def match_book(match_id: int, session: Session, who: SignedIn) -> str:
    """The match as a game play book, for which it is replayed: beside the event loop."""
    return await asyncio.to_thread(book_of, await look_at(session, match_id, who))


@router.get("/api/matches/running")
async def match_running(session: Session, who: SignedIn) -> RunningMatch | None:
    """The match that the caller is in the middle of, with its clock; null for who plays nowhere."""
    return await running_match(session, who.person_id)


@router.get("/api/matches/{match_id}")
async def match_replay(match_id: int, session: Session, who: SignedIn) -> MatchReplay:
    """The match move by move; for researchers with who was who."""
    return replay_of(await look_at(session, match_id, who))


@router.get("/api/matches/{match_id}/course")
async def match_course(match_id: int, session: Session, who: SignedIn) -> MatchCourse:
    """Who won a finished match and what decided it."""
    return await course_of(await look_at(session, match_id, who))


@router.get("/api/matches/{match_id}/dice")
async def match_dice(match_id: int, session: Session, who: SignedIn) -> DiceRecord:
    """Seed, commitment and moves of a finished match; games.dice.verify checks them."""
    return dice_of(await look_at(session, match_id, who))


@router.post("/api/matches/{match_id}/interactions", status_code=204)
async def match_interactions(
    request: Request, match_id: int, session: Session, database: DatabaseOf, who: SignedIn
) -> None:
    """A batch of the interaction log, as JSON that may be compressed (Content-Encoding: gzip)."""
    async with database.glances() as glance:  # no connection is held while the body comes
        await require_open(glance, match_id, who.person_id)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise TooMuchData
    batch = read_batch(bytes(body), request.headers.get("content-encoding", ""))
    await store(session, match_id, who.person_id, batch)
