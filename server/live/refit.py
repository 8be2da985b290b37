"""Learns the human thinking times from the newest matches, for the programs of the matches to come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from games.protocol import CHANCE
from games.registry import game as find_game
from server.live.models import Match, Source, ThinkingModel
from server.live.referee import move_texts
from server.live.thinking import Observation, Thinking, fit, kind_of

NEWEST_MATCHES: Final = 400
LOCK: Final = 0x7468696E6B  # any fixed number; one process refits at a time


def observations_of(match: Match) -> Iterator[Observation]:
    """The decisions that persons made in a match, at the pace of a real one."""
    game = find_game(match.game)
    pace = Thinking.model_validate(match.thinking).pace
    replaced = {seat.seat for seat in match.seats if seat.replaced_at is not None}
    position = game.start()
    for move in match.moves:
        if move.seat != CHANCE and move.source == Source.PERSON and move.seat not in replaced:
            yield Observation(f"{match.id}:{move.seat}", kind_of(move_texts(position)), move.ms / pace)
        position = position.play(game.move(move.move))


async def refit(session: AsyncSession) -> Thinking | None:
    """Fit and store a new model if matches have ended since the last fit; None otherwise. The caller commits."""
    if not await session.scalar(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": LOCK}):
        return None
    last_fit = await session.scalar(select(func.max(ThinkingModel.fitted_at)))
    query = (
        select(Match)
        .where(Match.ended_at.is_not(None))
        .order_by(Match.id.desc())
        .limit(NEWEST_MATCHES)
        .options(selectinload(Match.seats), selectinload(Match.moves))
    )
    matches = (await session.scalars(query)).all()
    if not any(last_fit is None or (match.ended_at is not None and match.ended_at > last_fit) for match in matches):
        return None
    model = fit(observation for match in matches for observation in observations_of(match))
    session.add(ThinkingModel(parameters=model.model_dump(mode="json")))
    await session.flush()
    return model
