"""The interaction log: what a person did with pointer, keys and attention during a match. With consent only.

A browser sends numbered batches; a number that was stored before is acknowledged and not stored again. Batches are
kept compressed, and both their size and their number are bounded.
"""

from __future__ import annotations

import json
import zlib
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationError
from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.owndata import erases, exports
from server.errors import N_, Forbidden, GrintuError, InvalidInput
from server.live.models import InteractionBatch, MatchSeat
from server.study.consent import Kind, has_consent
from server.texts import storable

MOST_BYTES: Final = 128 * 1024
"""Of one batch after unpacking."""
MOST_EVENTS: Final = 2000
MOST_BATCHES: Final = 400
"""Of one person in one match."""

Whole = Annotated[int, Field(ge=-100_000, le=100_000_000)]
Name = Annotated[str, Field(max_length=40), AfterValidator(storable)]


class Event(BaseModel):
    """One thing that happened in the browser; `t` is milliseconds since the page opened."""

    model_config = ConfigDict(extra="forbid")
    t: Whole
    kind: Literal["pointer", "down", "up", "click", "key", "pause", "focus", "blur", "hidden", "visible", "scroll"]
    x: Whole | None = None
    y: Whole | None = None
    key: Name | None = None
    target: Name | None = None
    ms: Whole | None = None


class Batch(BaseModel):
    """What a browser sends every few seconds."""

    model_config = ConfigDict(extra="forbid")
    number: Annotated[int, Field(ge=0, lt=MOST_BATCHES)]
    events: Annotated[list[Event], Field(max_length=MOST_EVENTS)]


class TooMuchData(GrintuError):  # noqa: N818 - named like the other refusals
    status = 413
    message = N_("That is too much data.")


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


def read_batch(body: bytes, encoding: str) -> Batch:
    try:
        return Batch.model_validate_json(unpack(body, encoding))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(N_("%(name)s: %(reason)s"), name=where, reason=first["msg"]) from None


async def store(session: AsyncSession, match_id: int, person_id: int, batch: Batch) -> bool:
    """Keep a batch; False if it was there already. Raises NoConsent, Forbidden."""
    if not await has_consent(session, person_id, Kind.INTERACTION_LOG):
        raise NoConsent
    sits = select(func.count()).where(MatchSeat.match_id == match_id, MatchSeat.person_id == person_id)
    if not await session.scalar(sits):
        raise Forbidden
    events = [event.model_dump(exclude_none=True) for event in batch.events]
    values = {
        "match_id": match_id,
        "person_id": person_id,
        "number": batch.number,
        "events": len(events),
        "data": zlib.compress(json.dumps(events, separators=(",", ":")).encode(), 9),
        "at": func.now(),
    }
    stored = insert(InteractionBatch).values(values).on_conflict_do_nothing().returning(InteractionBatch.number)
    return await session.scalar(stored) is not None


def events_of(batch: InteractionBatch) -> list[JsonValue]:
    events: list[JsonValue] = json.loads(zlib.decompress(batch.data))
    return events


@exports("interaction_log")
async def my_interactions(session: AsyncSession, person_id: int) -> JsonValue:
    query = select(InteractionBatch).where(InteractionBatch.person_id == person_id)
    ordered = query.order_by(InteractionBatch.match_id, InteractionBatch.number)
    return [
        {"match": batch.match_id, "number": batch.number, "events": events_of(batch)}
        for batch in await session.scalars(ordered)
    ]


@erases("interaction_log", "account")
async def forget_interactions(session: AsyncSession, person_id: int) -> None:
    await session.execute(delete(InteractionBatch).where(InteractionBatch.person_id == person_id))
