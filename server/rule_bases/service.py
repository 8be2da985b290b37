"""Uploading rule bases, putting them into play, and showing their authors where they lost a decision."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from games.protocol import Game
from npc.composed import school_of, strategy
from npc.prolog import rule_base, vocabulary_of
from server.accounts.audit import audit
from server.accounts.sessions import Identity
from server.base.clock import now
from server.base.errors import N_, Conflict, InvalidInput, NotFound
from server.live.models import MatchEvent, MatchSeat
from server.programs.asking import TookTooLong
from server.programs.service import Programs
from server.rule_bases.models import RuleBaseRow
from server.rule_bases.repository import plays_by_lot
from server.rule_bases.trial import check_and_try
from server.rules.service import open_game

FAULT = "rule_base_fault"
"""The kind of match event that live play writes when a rule base loses a decision."""
SHORTEST = "% First come\nworth([First|_], First).\n"


async def upload(session: AsyncSession, programs: Programs, game: str, script: str, who: Identity) -> RuleBaseRow:
    """Check, try out and store a script for a game. What the engine cannot load is refused with its line."""
    rules = await open_game(session, game)
    text = script.replace("\r\n", "\n")
    if "\x00" in text or not text.strip():
        raise InvalidInput(N_("A rule base is a text in Prolog."))
    try:
        trial = await programs.trial(check_and_try, rules.reference, rules.source, text)
    except TookTooLong as error:
        raise InvalidInput(N_("On trial it took so long that it was ended.")) from error
    if "refused" in trial:
        raise InvalidInput(trial["refused"])
    row = RuleBaseRow(
        game=rules.reference,
        name="",
        script=text,
        author=who.pseudonym,
        created_at=now(),
        playing=False,
        trial=trial,
    )
    # The number makes the name its own; it is known once the row is there.
    row.name = f"new {now().isoformat()} {who.account_id}"
    session.add(row)
    await session.flush()
    row.name = f"{rule_base(text, rules).name[:60]} (rule base {row.id})"
    audit(session, who, "rule_base.upload", row.name)
    await session.flush()
    return row


def start_script(game: Game) -> str:
    """What an author begins with: a composed strategy as a script, or what is shortest."""
    vocabulary, school = vocabulary_of(game), school_of(game)
    several = [name for name in school.population(game) if len(strategy(name, game).elements) > 1]
    return next(filter(None, (vocabulary.script_of(strategy(name, game)) for name in several)), SHORTEST)


async def set_playing(session: AsyncSession, rule_base_id: int, playing: bool, who: Identity) -> None:
    row = await get(session, rule_base_id)
    if playing and plays_by_lot(row):
        raise Conflict(
            N_(
                "On trial this rule base lost %(lost)s of %(decisions)s decisions, and a move drawn by lot was made "
                "instead. People would judge the lot: mend the script and upload it anew."
            ),
            lost=row.trial["lost"],
            decisions=row.trial["decisions"],
        )
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


async def all_of_them(session: AsyncSession, game: str) -> list[RuleBaseRow]:
    query = select(RuleBaseRow).where(RuleBaseRow.game == game).order_by(RuleBaseRow.id.desc())
    return list(await session.scalars(query))


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
