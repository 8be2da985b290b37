"""How the people of a match used the board, for the viewer: where the pointer went, and when nothing happened.

Browsers tell times since their page was opened. A batch was kept at a known moment, at most some seconds after its last
event, and that places its events in the match.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.live.models import InteractionBatch, Match, MatchSeat
from server.live.records.interactions import events_of
from server.viewer.schemas import Trace

TRACES: Final = TypeAdapter(list[Trace])


class Kept(NamedTuple):
    """A batch as it lies in the database, and when its match began."""

    seat: int
    at: datetime
    data: bytes
    start: datetime


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
    # Read as plain values, unpacked and computed beside the event loop: a log may have a hundred thousand events.
    rows = [Kept(*row) for row in await session.execute(query)]
    return await asyncio.to_thread(_traces, rows)


def _traces(rows: Sequence[Kept]) -> list[Trace]:
    seats = dict.fromkeys(row.seat for row in rows)
    return [
        trace(seat, rows[0].start, (Batch(seat, row.at, events_of(row.data)) for row in rows if row.seat == seat))
        for seat in seats
    ]


async def traces_as_json(session: AsyncSession, match_id: int) -> bytes:
    """The same as an answer that nobody has to check and write down once more."""
    found = await traces(session, match_id)
    return await asyncio.to_thread(TRACES.dump_json, found)


def trace(seat: int, start: datetime, batches: Iterable[Batch]) -> Trace:
    """Points are in hundredths of a percent of the board's width and height; those before the board was placed are
    left out, because nobody knows where they were. Browsers may leave out any of an event's values, and who writes a
    client of one's own does: what is incomplete is passed over."""
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
                sized = event.get("width", 0) > 0 and event.get("height", 0) > 0
                board = event if sized and "x" in event and "y" in event else None
            elif event["kind"] == "pause" and "ms" in event:
                found.pauses.append((at, event["ms"]))
            elif event["kind"] in ("pointer", "click") and board and "x" in event and "y" in event:
                x = round(10_000 * (event["x"] - board["x"]) / board["width"])
                y = round(10_000 * (event["y"] - board["y"]) / board["height"])
                (found.points if event["kind"] == "pointer" else found.clicks).append((at, x, y))
    return found
