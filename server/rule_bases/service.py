"""Uploading rule bases, putting them into play, and showing their authors where they lost a decision."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from games.jostle import JOSTLE
from npc.prolog.host import EngineError
from npc.prolog.rulebase import RuleBase
from npc.prolog.session import ScriptError, Session
from server.accounts.audit import audit
from server.accounts.sessions import Identity
from server.clock import now
from server.errors import N_, Conflict, InvalidInput, NotFound
from server.live.models import MatchEvent, MatchSeat
from server.prolog import engine
from server.rule_bases.models import RuleBaseRow
from server.rule_bases.trial import Trial, try_out

FAULT = "rule_base_fault"
"""The kind of match event that live play writes when a rule base loses a decision."""


async def upload(session: AsyncSession, script: str, who: Identity) -> RuleBaseRow:
    """Check, try out and store a script. What the engine cannot load is refused with its line."""
    text = script.replace("\r\n", "\n")
    if "\x00" in text or not text.strip():
        raise InvalidInput(N_("A rule base is a text in Prolog."))
    try:
        trial = await asyncio.to_thread(_checked, text)
    except (ScriptError, EngineError) as error:  # also one that never finishes loading
        raise InvalidInput(str(error)) from error
    row = RuleBaseRow(
        name="", script=text, author=who.pseudonym, created_at=now(), playing=False, trial=trial.as_json()
    )
    # The number makes the name its own; it is known once the row is there.
    row.name = f"new {now().isoformat()} {who.account_id}"
    session.add(row)
    await session.flush()
    row.name = f"{RuleBase(text).name[:60]} (rule base {row.id})"
    audit(session, who, "rule_base.upload", row.name)
    await session.flush()
    return row


def _checked(text: str) -> Trial:
    Session(engine(), text, JOSTLE.layout).close()
    return try_out(text)


async def set_playing(session: AsyncSession, rule_base_id: int, playing: bool, who: Identity) -> None:
    row = await get(session, rule_base_id)
    row.playing = playing
    audit(session, who, "rule_base.play" if playing else "rule_base.rest", row.name)


async def discard(session: AsyncSession, rule_base_id: int, who: Identity) -> None:
    """Forget a script that nobody has met. One that sat at a table stays, because its matches say who played."""
    row = await get(session, rule_base_id)
    if row.playing or await has_played(session, row.name):
        raise Conflict(N_("This rule base has played or is in play. It stays, so that its matches can be understood."))
    await session.delete(row)
    audit(session, who, "rule_base.discard", row.name)


async def has_played(session: AsyncSession, name: str) -> bool:
    return bool(await session.scalar(select(exists().where(MatchSeat.strategy == name))))


async def get(session: AsyncSession, rule_base_id: int) -> RuleBaseRow:
    row = await session.get(RuleBaseRow, rule_base_id)
    if row is None:
        raise NotFound
    return row


async def all_of_them(session: AsyncSession) -> list[RuleBaseRow]:
    return list(await session.scalars(select(RuleBaseRow).order_by(RuleBaseRow.id.desc())))


@dataclass(frozen=True)
class LiveFault:
    """A decision that was lost in a match."""

    match: int
    ply: int
    fault: str
    at: datetime


async def live_faults(session: AsyncSession, name: str, limit: int = 100) -> list[LiveFault]:
    query = (
        select(MatchEvent)
        .join(MatchSeat, (MatchSeat.match_id == MatchEvent.match_id) & (MatchSeat.seat == MatchEvent.seat))
        .where(MatchEvent.kind == FAULT, MatchSeat.strategy == name)
        .order_by(MatchEvent.id.desc())
        .limit(limit)
    )
    return [
        LiveFault(event.match_id, int(event.details["ply"]), str(event.details["fault"]), event.at)
        for event in await session.scalars(query)
    ]
