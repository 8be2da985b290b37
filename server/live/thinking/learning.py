"""Learns the human thinking times of each game from its newest matches, for the programs of the matches to come.

Hundreds of matches are read and replayed for it, as plain arrays and in a process for computations.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from games import registry
from games.protocol import CHANCE, Game
from server.base.clock import now
from server.live.models import Match, Source, ThinkingModel
from server.live.thinking.fitting import Observation, fit
from server.live.thinking.situations import Course
from server.live.thinking.times import Thinking
from server.rules.service import open_game

NEWEST_MATCHES: Final = 400
FEW_MATCHES: Final = 100
"""Of a game with fewer every match counts; it is learnt anew as soon as one has ended."""
AGAIN_AFTER: Final = timedelta(minutes=30)
LOCK: Final = 0x7468696E6B  # any fixed number; one worker refits at a time

# Grouping by the models, which are long, would take half a minute for 400 matches.
PLAYED: Final = text("""
SELECT m.id, COALESCE((m.thinking ->> 'pace')::float8, 1),
       ARRAY(SELECT seat FROM match_seats s WHERE s.match_id = m.id AND s.replaced_at IS NOT NULL) AS replaced,
       played.seats, played.moves, played.sources, played.ms
FROM (SELECT id, thinking FROM matches WHERE ended_at IS NOT NULL AND game = :game
      ORDER BY id DESC LIMIT :newest) AS m
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
    pace: float
    replaced: list[int]
    seats: list[int]
    moves: list[str]
    sources: list[str]
    ms: list[int]


def observations_of(game: Game, match: Played) -> Iterator[Observation]:
    """The decisions that persons made in a match, at the pace of a real one."""
    turn, course, done = game.start(), Course.begin(game), 0
    while done < len(match.moves):
        # Seats that choose at the same time decide in the same position.
        position, played = turn, []
        for _ in position.acting or (CHANCE,):
            seat, move, ms = match.seats[done], game.move(match.moves[done]), match.ms[done]
            if seat != CHANCE and match.sources[done] == Source.PERSON and seat not in match.replaced:
                kind, _, features = course.situation(position, seat)
                yield Observation(f"{match.id}:{seat}", kind, ms / match.pace, features)
            played.append((turn, move))
            turn, done = turn.play(move), done + 1
        course = course.after(played)


def fitted(kind: str, source: str, matches: Sequence[Played]) -> Thinking:
    """In a process that may not know the game yet."""
    game = registry.open_source(kind, source)
    return fit(observation for match in matches for observation in observations_of(game, match))


async def refit(session: AsyncSession, processes: Executor) -> dict[str, Thinking]:
    """Fit and store a new model of each game of which matches have ended since its last fit. The caller commits."""
    if not await session.scalar(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": LOCK}):
        return {}
    learned = {}
    for reference in await _with_news(session):
        game = await open_game(session, reference)
        matches = [Played(*row) for row in await session.execute(PLAYED, {"game": reference, "newest": NEWEST_MATCHES})]
        loop = asyncio.get_running_loop()
        learned[reference] = await loop.run_in_executor(processes, fitted, game.kind, game.source, matches)
        session.add(ThinkingModel(game=reference, parameters=learned[reference].model_dump(mode="json")))
    await session.flush()
    return learned


async def _with_news(session: AsyncSession) -> list[str]:
    """The games among the newest matches that have one which ended after the game's last fit, if it is time again."""
    over = select(Match.game, Match.ended_at).where(Match.ended_at.is_not(None))
    newest = over.order_by(Match.id.desc()).limit(NEWEST_MATCHES).subquery()
    ends = await session.execute(select(newest.c.game, func.max(newest.c.ended_at)).group_by(newest.c.game))
    fits = await session.execute(
        select(ThinkingModel.game, func.max(ThinkingModel.fitted_at)).group_by(ThinkingModel.game)
    )
    last_fit: dict[str, datetime] = {row[0]: row[1] for row in fits}
    old = now() - AGAIN_AFTER
    return [
        game
        for game, ended in sorted(ends.all())
        if game not in last_fit or (ended > last_fit[game] and (last_fit[game] < old or await _are_few(session, game)))
    ]


async def _are_few(session: AsyncSession, game: str) -> bool:
    some = select(Match.id).where(Match.game == game, Match.ended_at.is_not(None)).limit(FEW_MATCHES).subquery()
    return (await session.scalar(select(func.count()).select_from(some)) or 0) < FEW_MATCHES
