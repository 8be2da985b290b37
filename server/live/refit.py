"""Learns the human thinking times from the newest matches, for the programs of the matches to come.

Hundreds of matches are read and replayed for it, as plain arrays and in a process for computations.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import Final, NamedTuple

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from games.protocol import CHANCE
from games.registry import game as find_game
from server.live.models import Match, Source, ThinkingModel
from server.live.referee import move_texts
from server.live.thinking import Observation, Thinking, fit, kind_of

NEWEST_MATCHES: Final = 400
LOCK: Final = 0x7468696E6B  # any fixed number; one worker refits at a time

# Grouping by the models, which are long, would take half a minute for 400 matches.
PLAYED: Final = text("""
SELECT m.id, m.game, COALESCE((m.thinking ->> 'pace')::float8, 1),
       ARRAY(SELECT seat FROM match_seats s WHERE s.match_id = m.id AND s.replaced_at IS NOT NULL) AS replaced,
       played.seats, played.moves, played.sources, played.ms
FROM (SELECT id, game, thinking FROM matches WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT :newest) AS m
CROSS JOIN LATERAL (
    SELECT array_agg(seat ORDER BY ply) AS seats, array_agg(move ORDER BY ply) AS moves,
           array_agg(source ORDER BY ply) AS sources, array_agg(ms ORDER BY ply) AS ms
    FROM match_moves WHERE match_id = m.id
) AS played
WHERE played.seats IS NOT NULL ORDER BY m.id DESC
""")


class Played(NamedTuple):
    """A match that is over, as far as times are concerned; the last four have one entry per ply."""

    id: int
    game: str
    pace: float
    replaced: list[int]
    seats: list[int]
    moves: list[str]
    sources: list[str]
    ms: list[int]


def observations_of(match: Played) -> Iterator[Observation]:
    """The decisions that persons made in a match, at the pace of a real one."""
    game = find_game(match.game)
    position = game.start()
    for seat, move, source, ms in zip(match.seats, match.moves, match.sources, match.ms, strict=True):
        if seat != CHANCE and source == Source.PERSON and seat not in match.replaced:
            yield Observation(f"{match.id}:{seat}", kind_of(move_texts(position)), ms / match.pace)
        position = position.play(game.move(move))


def fitted(matches: Sequence[Played]) -> Thinking:
    return fit(observation for match in matches for observation in observations_of(match))


async def refit(session: AsyncSession, processes: Executor) -> Thinking | None:
    """Fit and store a new model if matches have ended since the last fit; None otherwise. The caller commits."""
    if not await session.scalar(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": LOCK}):
        return None
    last_fit = await session.scalar(select(func.max(ThinkingModel.fitted_at)))
    ends = select(Match.ended_at).where(Match.ended_at.is_not(None)).order_by(Match.id.desc()).limit(NEWEST_MATCHES)
    newest = await session.scalar(select(func.max(ends.subquery().c.ended_at)))
    if newest is None or (last_fit is not None and newest <= last_fit):
        return None
    matches = [Played(*row) for row in await session.execute(PLAYED, {"newest": NEWEST_MATCHES})]
    model = await asyncio.get_running_loop().run_in_executor(processes, fitted, matches)
    session.add(ThinkingModel(parameters=model.model_dump(mode="json")))
    await session.flush()
    return model
