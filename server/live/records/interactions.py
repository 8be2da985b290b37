"""The interaction log: what a person did with pointer, keys and attention during a match. With consent only.

A browser sends numbered batches over the match's socket, where a `Scribe` gathers them, or by themselves; a number that
was stored before is not stored again. Batches are kept compressed; their size, their number and their sum are bounded.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any, Final, NamedTuple, Self

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import delete, func, select
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Person
from server.accounts.owndata import counts, erases, streams
from server.base.errors import N_, Forbidden, GrintuError, InvalidInput, NotFound
from server.live.models import InteractionBatch
from server.live.wire.messages import Log, LoggedEvent
from server.study.consent import ConsentKind, who_consents
from server.study.withdrawal import gathered

MOST_BYTES: Final = 128 * 1024
"""Of one batch after unpacking."""
MOST_EVENTS: Final = 100_000
"""Of one person in one match: the busiest hand moves for more than an hour. What comes after them is not kept."""
MOST_KEPT: Final = 4 * 1024 * 1024
"""Bytes of one person in one match, packed as they are kept: several times what so many events of a real hand take."""
LATEST: Final = timedelta(minutes=30)
"""After a match's end; a browser that lost its connection may still send what it has."""
UNPACKED_AT_ONCE: Final = 8
EVENTS: Final = TypeAdapter(list[LoggedEvent])

HOLD_STILL = sql("SELECT id FROM persons WHERE id = ANY(CAST(:persons AS bigint[])) ORDER BY id FOR KEY SHARE")
# `before` counts what of the same person and match stands earlier in the same call.
KEEP = sql("""
INSERT INTO interaction_batches (match_id, person_id, number, events, data, at)
SELECT match_id, person_id, number, events, data, now()
FROM (
    SELECT *, coalesce(sum(events) OVER earlier, 0) AS events_before,
           coalesce(sum(octet_length(data)) OVER earlier, 0) AS bytes_before
    FROM unnest(CAST(:matches AS bigint[]), CAST(:persons AS bigint[]), CAST(:numbers AS int[]),
                CAST(:events AS int[]), CAST(:data AS bytea[]))
         WITH ORDINALITY AS told(match_id, person_id, number, events, data, came)
    WINDOW earlier AS (
        PARTITION BY match_id, person_id ORDER BY came ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )
) AS page
CROSS JOIN LATERAL (
    SELECT coalesce(sum(b.events), 0) AS events_kept, coalesce(sum(octet_length(b.data)), 0) AS bytes_kept
    FROM interaction_batches b WHERE b.match_id = page.match_id AND b.person_id = page.person_id
) AS kept
WHERE EXISTS (
    SELECT FROM match_seats s JOIN matches m ON m.id = s.match_id
    WHERE s.match_id = page.match_id AND s.person_id = page.person_id AND s.replaced_at IS NULL
      AND (m.ended_at IS NULL OR m.ended_at > now() - CAST(:latest AS interval))
) AND events_kept + events_before < :most_events AND bytes_kept + bytes_before < :most_bytes
ORDER BY came
ON CONFLICT DO NOTHING
""")
OPEN = sql("""
SELECT s.replaced_at IS NULL AND (m.ended_at IS NULL OR m.ended_at > now() - CAST(:latest AS interval))
FROM match_seats s JOIN matches m ON m.id = s.match_id WHERE m.id = :match AND s.person_id = :person
""")


class Page(NamedTuple):
    """A batch as it is kept: whose, of which match, and its events as JSON."""

    match: int
    person: int
    number: int
    events: int
    text: bytes

    @classmethod
    def of(cls, match: int, person: int, batch: Log) -> Self:
        return cls(match, person, batch.number, len(batch.events), EVENTS.dump_json(batch.events, exclude_none=True))


class TooMuchData(GrintuError):  # noqa: N818 - named like the other refusals
    status = 413
    message = N_("That is too much data.")


class LogClosed(GrintuError):  # noqa: N818 - named like the other refusals
    status = 410
    message = N_("Nothing more is recorded of this match.")


class NoConsent(Forbidden):
    message = N_("The interaction log is only kept with consent.")


def unpack(body: bytes, encoding: str) -> bytes:
    """The body of a request, at most MOST_BYTES of it. Raises TooMuchData or InvalidInput."""
    if encoding in ("", "identity"):
        unpacked, more = body, len(body) > MOST_BYTES
    elif encoding in ("gzip", "deflate"):
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
        try:
            unpacked = unpacker.decompress(body, MOST_BYTES)
        except zlib.error:
            raise InvalidInput(N_("The data are not compressed as they say.")) from None
        more = bool(unpacker.unconsumed_tail)
    else:
        raise InvalidInput(N_("Only gzip and deflate are understood, not %(encoding)s."), encoding=encoding[:20])
    if more:
        raise TooMuchData
    return unpacked


def read_batch(body: bytes, encoding: str) -> Log:
    try:
        return Log.model_validate_json(unpack(body, encoding))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(N_("%(name)s: %(reason)s"), name=where, reason=first["msg"]) from None


async def require_open(session: AsyncSession, match_id: int, person_id: int) -> None:
    """Before anybody reads a batch that came by itself. Raises NotFound, LogClosed, NoConsent."""
    values = {"match": match_id, "person": person_id, "latest": LATEST}
    is_open = await session.scalar(OPEN, values) if 0 < match_id < 2**63 else None
    if is_open is None:
        raise NotFound
    if not is_open:
        raise LogClosed
    if not await _agreeing(session, [person_id]):
        raise NoConsent


async def store(session: AsyncSession, match_id: int, person_id: int, batch: Log) -> None:
    """Keep a batch that came by itself. Raises NoConsent."""
    if not await keep(session, [Page.of(match_id, person_id, batch)]):
        raise NoConsent


async def keep(session: AsyncSession, pages: Sequence[Page]) -> set[int]:
    """Keep the pages of those who agree to it, and tell who they are. What is there already is not kept again, nor what
    comes after the person has left the table or the match is long over.

    Whoever withdraws meanwhile waits until this is committed and then erases it; or was first, and nothing is kept.
    """
    persons = list({page.person for page in pages})
    await session.execute(HOLD_STILL, {"persons": persons})
    agreeing = await _agreeing(session, persons)
    kept = [page for page in pages if page.person in agreeing]
    if kept:
        packed = await asyncio.to_thread(lambda: [zlib.compress(page.text) for page in kept])
        values = {
            "matches": [page.match for page in kept],
            "persons": [page.person for page in kept],
            "numbers": [page.number for page in kept],
            "events": [page.events for page in kept],
            "data": packed,
            "latest": LATEST,
            "most_events": MOST_EVENTS,
            "most_bytes": MOST_KEPT,
        }
        await session.execute(KEEP, values)
    return agreeing


async def _agreeing(session: AsyncSession, persons: Sequence[int]) -> set[int]:
    """Who agrees to the log and still takes part: of those who withdrew the play data nothing more is recorded."""
    both = [await who_consents(session, persons, kind) for kind in (ConsentKind.INTERACTION_LOG, ConsentKind.PLAY_DATA)]
    return set.intersection(*both)


def events_of(data: bytes) -> list[dict[str, Any]]:
    """The events of a batch as it is kept."""
    events: list[dict[str, Any]] = json.loads(zlib.decompress(data))
    return events


@streams("interaction_log")
async def my_interactions(session: AsyncSession, person_id: int) -> AsyncIterator[bytes]:
    """The events are JSON already, so they are only unpacked, a few batches at a time and beside the event loop."""
    query = select(InteractionBatch).where(InteractionBatch.person_id == person_id)
    ordered = query.order_by(InteractionBatch.match_id, InteractionBatch.number)
    found = await session.stream_scalars(ordered.execution_options(yield_per=UNPACKED_AT_ONCE))
    async for batches in found.partitions():
        for entry in await asyncio.to_thread(lambda some: [_entry(batch) for batch in some], batches):
            yield entry


def _entry(batch: InteractionBatch) -> bytes:
    return b'{"match": %d, "number": %d, "events": %b}' % (batch.match_id, batch.number, zlib.decompress(batch.data))


@erases("interaction_log", "account")
async def forget_interactions(session: AsyncSession, person_id: int) -> None:
    await session.execute(select(Person.id).where(Person.id == person_id).with_for_update())  # see `keep`
    await session.execute(delete(InteractionBatch).where(InteractionBatch.person_id == person_id))


@gathered(ConsentKind.INTERACTION_LOG, "matches")
async def logged_matches(session: AsyncSession, person_id: int) -> int:
    query = select(func.count(InteractionBatch.match_id.distinct())).where(InteractionBatch.person_id == person_id)
    return await session.scalar(query) or 0


@counts("interaction_log")
@gathered(ConsentKind.INTERACTION_LOG, "records")
async def logged_events(session: AsyncSession, person_id: int) -> int:
    query = select(func.sum(InteractionBatch.events)).where(InteractionBatch.person_id == person_id)
    return await session.scalar(query) or 0
