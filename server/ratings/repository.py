"""Queries on snapshots and on the judgements that selection looks at, all of one game."""

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
from server.judgements.repository import as_judgement, position
from server.live.models import Match, MatchSeat
from server.ratings.models import RatingSnapshot

LONG: Final = (RatingSnapshot.record, RatingSnapshot.groups, RatingSnapshot.shown)


async def settled_position(session: AsyncSession, game: str) -> int:
    """The newest position of a game below which no row of it can appear any more; 0 before the first one.

    Positions are given before the rows are committed, so a smaller one may still become visible later. The lock waits
    for all who are writing now; whoever comes later gets a larger position. Release it soon: commit.
    """
    await session.execute(text("SET LOCAL lock_timeout = '10s'"))
    await session.execute(text("LOCK TABLE judgements IN SHARE MODE"))
    return await position(session, game)


async def pseudonyms(session: AsyncSession, persons: Collection[int]) -> list[str]:
    query = select(Person.pseudonym).where(Person.id.in_(persons)).order_by(Person.pseudonym)
    return list(await session.scalars(query))


async def find(session: AsyncSession, game: str, log_position: int, fingerprint: str) -> RatingSnapshot | None:
    """Without the record and all that is as long: it is asked for every minute, and of thousands of persons."""
    query = (
        select(RatingSnapshot)
        .where(
            RatingSnapshot.game == game,
            RatingSnapshot.log_position == log_position,
            RatingSnapshot.fingerprint == fingerprint,
        )
        .options(*(defer(column, raiseload=True) for column in LONG))
    )
    return (await session.scalars(query)).one_or_none()


async def whole(session: AsyncSession, snapshot: int) -> RatingSnapshot:
    return await session.get_one(RatingSnapshot, snapshot)


async def store(session: AsyncSession, values: dict[str, Any]) -> None:
    """Keep a snapshot; an equal one may be there already, computed by another process."""
    await session.execute(insert(RatingSnapshot).values(**values).on_conflict_do_nothing())


async def newest(session: AsyncSession, game: str, fingerprint: str) -> RatingSnapshot | None:
    """The newest snapshot of a game with this fingerprint; while there is none, the newest of any."""
    query = select(RatingSnapshot).where(RatingSnapshot.game == game)
    return (await session.scalars(query.order_by(*_newest(fingerprint)).limit(1))).one_or_none()


async def group_detection(session: AsyncSession, game: str, fingerprint: str, person: int) -> dict[str, float]:
    """How often the person's group detects each strategy, from the newest snapshot; empty if it has no group yet."""
    pseudonym = await session.scalar(select(Person.pseudonym).where(Person.id == person))
    query = select(RatingSnapshot.groups[pseudonym].as_integer(), RatingSnapshot.record["groups"])
    query = query.where(RatingSnapshot.game == game)
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


async def prune(session: AsyncSession, game: str, keep: int) -> None:
    """Delete old snapshots of a game except the last of each day; they could be computed again."""
    day = func.date_trunc("day", RatingSnapshot.computed_at)
    of_game = RatingSnapshot.game == game
    recent = select(RatingSnapshot.id).where(of_game).order_by(RatingSnapshot.id.desc()).limit(keep)
    last_of_days = select(func.max(RatingSnapshot.id)).where(of_game).group_by(day)
    await session.execute(
        delete(RatingSnapshot).where(of_game, RatingSnapshot.id.not_in(recent), RatingSnapshot.id.not_in(last_of_days))
    )


async def meetings_of(session: AsyncSession, game: str, persons: Sequence[int]) -> dict[int, Meetings]:
    """Which strategies these persons have met in a game so far, judged or not."""
    judged = await judgements_of(session, game, persons)
    seated: dict[int, dict[int, list[str]]] = {person: {} for person in persons}
    other = aliased(MatchSeat)
    query = (
        select(MatchSeat.person_id, MatchSeat.match_id, other.strategy)
        .join(other, (other.match_id == MatchSeat.match_id) & (other.seat != MatchSeat.seat))
        .join(Match, Match.id == MatchSeat.match_id)
        .where(MatchSeat.person_id.in_(persons), other.person_id.is_(None), Match.game == game)
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


async def judgements_of(session: AsyncSession, game: str, persons: Sequence[int]) -> dict[int, list[Judgement]]:
    """What these persons have judged in a game so far."""
    query = (
        select(JudgementRow, Person.pseudonym)
        .join(Person, Person.id == JudgementRow.person_id)
        .where(JudgementRow.person_id.in_(persons), JudgementRow.game == game)
        .order_by(JudgementRow.id)
    )
    found: dict[int, list[Judgement]] = {person: [] for person in persons}
    for row, pseudonym in await session.execute(query):
        found[row.person_id].append(as_judgement(row, pseudonym))
    return found


async def counts(session: AsyncSession, game: str, population: Collection[str]) -> dict[str, int]:
    """How often each strategy of a game has been judged."""
    query = (
        select(JudgementRow.strategy, func.count())
        .where(JudgementRow.game == game, JudgementRow.strategy.in_(population))
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
