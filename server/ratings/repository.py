"""Queries on snapshots and on the judgements that selection looks at."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased, defer

from lab.judgements import Judgement
from lab.selection import Meetings
from server.accounts.models import Person
from server.judgements.models import JudgementRow
from server.judgements.repository import as_judgement
from server.live.models import MatchSeat
from server.ratings.models import RatingSnapshot

LONG: Final = (RatingSnapshot.record, RatingSnapshot.groups, RatingSnapshot.shown)


async def settled_position(session: AsyncSession) -> int:
    """The newest position below which no row can appear any more.

    Positions are given before the rows are committed, so a smaller one may still become visible later. The lock waits
    for all who are writing now; whoever comes later gets a larger position. Release it soon: commit.
    """
    await session.execute(text("SET LOCAL lock_timeout = '10s'"))
    await session.execute(text("LOCK TABLE judgements IN SHARE MODE"))
    return await session.scalar(select(func.max(JudgementRow.id))) or 0


async def pseudonyms(session: AsyncSession, persons: Collection[int]) -> list[str]:
    query = select(Person.pseudonym).where(Person.id.in_(persons)).order_by(Person.pseudonym)
    return list(await session.scalars(query))


async def find(session: AsyncSession, position: int, fingerprint: str) -> RatingSnapshot | None:
    """Without the record and all that is as long: it is asked for every minute, and of thousands of persons."""
    query = (
        select(RatingSnapshot)
        .where(RatingSnapshot.log_position == position, RatingSnapshot.fingerprint == fingerprint)
        .options(*(defer(column, raiseload=True) for column in LONG))
    )
    return (await session.scalars(query)).one_or_none()


async def whole(session: AsyncSession, snapshot: int) -> RatingSnapshot:
    return await session.get_one(RatingSnapshot, snapshot)


async def store(session: AsyncSession, values: dict[str, Any]) -> None:
    """Keep a snapshot; an equal one may be there already, computed by another process."""
    await session.execute(insert(RatingSnapshot).values(**values).on_conflict_do_nothing())


async def newest(session: AsyncSession, fingerprint: str) -> RatingSnapshot | None:
    """The newest snapshot of this fingerprint; while there is none, the newest of any."""
    return (await session.scalars(select(RatingSnapshot).order_by(*_newest(fingerprint)).limit(1))).one_or_none()


async def group_detection(session: AsyncSession, fingerprint: str, person: int) -> dict[str, float]:
    """How often the person's group detects each strategy, from the newest snapshot; empty if it has no group yet."""
    pseudonym = await session.scalar(select(Person.pseudonym).where(Person.id == person))
    query = select(RatingSnapshot.groups[pseudonym].as_integer(), RatingSnapshot.record["groups"])
    found = (await session.execute(query.order_by(*_newest(fingerprint)).limit(1))).one_or_none()
    if found is None or found[0] is None:
        return {}
    group, groups = found
    detection: dict[str, float] = groups[group]["detection"]
    return detection


def _newest(fingerprint: str) -> tuple[ColumnElement[Any], ...]:
    return (
        (RatingSnapshot.fingerprint == fingerprint).desc(),
        RatingSnapshot.log_position.desc(),
        RatingSnapshot.id.desc(),
    )


async def prune(session: AsyncSession, keep: int) -> None:
    """Delete old snapshots except the last of each day; they could be computed again."""
    day = func.date_trunc("day", RatingSnapshot.computed_at)
    recent = select(RatingSnapshot.id).order_by(RatingSnapshot.id.desc()).limit(keep)
    last_of_days = select(func.max(RatingSnapshot.id)).group_by(day)
    await session.execute(
        delete(RatingSnapshot).where(RatingSnapshot.id.not_in(recent), RatingSnapshot.id.not_in(last_of_days))
    )


async def meetings_of(session: AsyncSession, persons: Sequence[int]) -> dict[int, Meetings]:
    """Which strategies these persons have met so far, judged or not."""
    judged = await judgements_of(session, persons)
    seated: dict[int, dict[int, list[str]]] = {person: {} for person in persons}
    other = aliased(MatchSeat)
    query = (
        select(MatchSeat.person_id, MatchSeat.match_id, other.strategy)
        .join(other, (other.match_id == MatchSeat.match_id) & (other.seat != MatchSeat.seat))
        .where(MatchSeat.person_id.in_(persons), other.person_id.is_(None))
        .order_by(MatchSeat.match_id)
    )
    for person, match, strategy in await session.execute(query):
        if person is not None and strategy is not None:
            seated[person].setdefault(match, []).append(strategy)
    return {
        person: Meetings(
            judged=judged[person],
            unjudged=frozenset(name for names in matches.values() for name in names),
            last=matches[max(matches)] if matches else (),
        )
        for person, matches in seated.items()
    }


async def judgements_of(session: AsyncSession, persons: Sequence[int]) -> dict[int, list[Judgement]]:
    """What these persons have judged so far."""
    query = (
        select(JudgementRow, Person.pseudonym)
        .join(Person, Person.id == JudgementRow.person_id)
        .where(JudgementRow.person_id.in_(persons))
        .order_by(JudgementRow.id)
    )
    found: dict[int, list[Judgement]] = {person: [] for person in persons}
    for row, pseudonym in await session.execute(query):
        found[row.person_id].append(as_judgement(row, pseudonym))
    return found


async def counts(session: AsyncSession, population: Collection[str]) -> dict[str, int]:
    """How often each strategy has been judged."""
    query = (
        select(JudgementRow.strategy, func.count())
        .where(JudgementRow.strategy.in_(population))
        .group_by(JudgementRow.strategy)
    )
    return {strategy: number for strategy, number in await session.execute(query) if strategy is not None}


async def ordinals(session: AsyncSession, persons: Sequence[int]) -> dict[int, int]:
    """How many persons came before each of these."""
    earlier = aliased(Person)
    query = (
        select(Person.id, func.count(earlier.id))
        .outerjoin(earlier, earlier.id < Person.id)
        .where(Person.id.in_(persons))
        .group_by(Person.id)
    )
    return dict((await session.execute(query)).all())
