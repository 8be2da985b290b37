"""How the people of a match used the board, for the viewer: where the pointer went, and when nothing happened.

Browsers tell times since their page was opened. A batch was kept at a known moment, at most some seconds after its last
event, and that places its events in the match.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.live.models import InteractionBatch, Match, MatchSeat
from server.live.records.interactions import events_of
from server.viewer.schemas import Trace


class Batch(NamedTuple):
    seat: int
    at: datetime
    events: list[dict[str, Any]]


async def traces(session: AsyncSession, match_id: int) -> list[Trace]:
    """One per person who agreed to the log and used the board, by seat."""
    query = (
        select(MatchSeat.seat, InteractionBatch.at, InteractionBatch.data, Match.starts_at)
        .join(Match, Match.id == InteractionBatch.match_id)
        .join(
            MatchSeat,
            (MatchSeat.match_id == InteractionBatch.match_id) & (MatchSeat.person_id == InteractionBatch.person_id),
        )
        .where(InteractionBatch.match_id == match_id)
        .order_by(MatchSeat.seat, InteractionBatch.number)
    )
    rows = (await session.execute(query)).all()
    seats = dict.fromkeys(row.seat for row in rows)
    return [
        trace(seat, rows[0].starts_at, [Batch(seat, row.at, events_of(row.data)) for row in rows if row.seat == seat])
        for seat in seats
    ]


def trace(seat: int, start: datetime, batches: Iterable[Batch]) -> Trace:
    """Points are in hundredths of a percent of the board's width and height; those before the board was placed are
    left out, because nobody knows where they were."""
    found = Trace(seat=seat, points=[], clicks=[], pauses=[])
    board: dict[str, Any] | None = None
    for batch in batches:
        if not batch.events:
            continue
        last = max(event["t"] + event.get("ms", 0) for event in batch.events)
        kept = round(1000 * (batch.at - start).total_seconds())
        for event in batch.events:
            at = kept - (last - event["t"])
            if event["kind"] == "board":
                board = event if event.get("width") and event.get("height") else None
            elif event["kind"] == "pause":
                found.pauses.append((at, event["ms"]))
            elif event["kind"] in ("pointer", "click") and board and "x" in event and "y" in event:
                x = round(10_000 * (event["x"] - board["x"]) / board["width"])
                y = round(10_000 * (event["y"] - board["y"]) / board["height"])
                (found.points if event["kind"] == "pointer" else found.clicks).append((at, x, y))
    return found
