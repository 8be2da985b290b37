"""Is a strategy harder to detect for some groups of judges than for others who are as able?

Groups are made by the language of the account, by the kind of device on which the judged match was played, by an answer
of the profile, or by the generation of the round in which somebody judged; others bring their own groups along.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lab.judgements import Judgement
from lab.rasch.dif import Differing, differing_judgements
from server.base.errors import N_, NotFound
from server.dashboards.attributes import attributes, values_of
from server.falsifiers.service import left_out
from server.judgements.repository import read_log
from server.storage.database import Database

LANGUAGE: Final = "language"
GENERATION: Final = "generation"
DEVICE: Final = "device"
LANGUAGES = text("SELECT p.pseudonym, a.language FROM accounts a JOIN persons p ON p.id = a.person_id")
DEVICES = text(
    "SELECT s.match_id, p.pseudonym, s.device FROM match_seats s JOIN matches m ON m.id = s.match_id "
    "JOIN persons p ON p.id = s.person_id WHERE m.game = :game AND s.device IS NOT NULL"
)
STEPS = text("SELECT s.at FROM round_steps s JOIN rounds r ON r.id = s.round_id WHERE r.game = :game ORDER BY s.at")

GroupOf = Callable[[Judgement], str | None]


async def differing_by(session: AsyncSession, database: Database, game: str, by: str) -> list[Differing]:
    """The strategies of a game (and humans), the most conspicuous first. Raises NotFound for an unknown grouping."""
    return await differing_between(session, game, await _grouping(session, database, game, by))


async def differing_between(session: AsyncSession, game: str, group: GroupOf) -> list[Differing]:
    log = await read_log(session, game, without=await left_out(session))
    return differing_judgements(log, group)


async def _grouping(session: AsyncSession, database: Database, game: str, by: str) -> GroupOf:
    if by == GENERATION:
        return by_time([at for (at,) in await session.execute(STEPS, {"game": game})])
    if by == DEVICE:
        devices = {
            (str(match), person): device for match, person, device in await session.execute(DEVICES, {"game": game})
        }
        return lambda one: devices.get((one.match, one.person))
    if by == LANGUAGE:
        return by_person({row.pseudonym: row.language for row in await session.execute(LANGUAGES)})
    if by not in {one.key for one in await attributes(session)}:
        raise NotFound(N_("The profile does not ask for %(name)s."), name=by)
    return by_person({row["pseudonym"]: row["value"] for row in await values_of(database, by)})


def by_person(groups: Mapping[str, str]) -> GroupOf:
    return lambda one: groups.get(one.person)


def by_time(beginnings: list[datetime]) -> GroupOf:
    """Judgements by the last of these moments before them, numbered from 0."""
    times = [at.timestamp() for at in beginnings]
    return lambda one: str(bisect(times, one.time) - 1) if times and one.time >= times[0] else None
