"""Persons for researchers: abilities beside difficulties, experts, groups, and how each has learnt."""

from __future__ import annotations

from datetime import UTC, datetime
from math import ceil
from typing import Annotated, Final, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from lab.experts import RULES
from lab.smoothing import WeightPoint as LabPoint
from server.accounts.models import Account, Person
from server.base.errors import N_, NotFound
from server.dashboards.attributes import members
from server.dashboards.filters import Chosen, Group
from server.dashboards.matches import OF_PERSON, newest_matches
from server.dashboards.schemas import (
    Flag,
    Judged,
    Lesson,
    PersonPage,
    PersonRow,
    PersonsOverview,
    PersonsPart,
    WeightPoint,
)
from server.dashboards.shares import share
from server.dashboards.standing import Record, Standing, persons_of, standing
from server.falsifiers.models import FalsifierFlag
from server.falsifiers.service import left_out
from server.ratings.service import weight_history
from server.storage.database import Database

ROWS: Final = 50

Order = Literal["ability", "d_prime", "judgements", "weight", "outfit", "person"]


class PersonsQuery(BaseModel):
    """Which persons a table shows: `?order=d_prime&experts=true&group=1&name=red&page=2`."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    order: Order = "ability"
    experts: bool = False
    group: Annotated[Group | None, Chosen] = None
    name: Annotated[str, Field(max_length=60)] = ""
    page: Annotated[int, Field(ge=1, le=100_000)] = 1


PersonsQueryOf = Annotated[PersonsQuery, Query()]


async def persons(session: AsyncSession, database: Database, game: str) -> PersonsOverview:
    """The person-item map and the groups."""
    ratings = await standing(session, database, game)
    if ratings is None:
        return PersonsOverview(rated=None, criteria=None, experts=0, persons=0, rasch=None, groups=[])
    return PersonsOverview(
        rated=ratings.rated,
        criteria=ratings.record["settings"]["experts"],
        experts=len(ratings.record["experts"]),
        persons=len(await persons_of(database, ratings)),
        rasch=ratings.record["rasch"],
        groups=ratings.record["groups"],
    )


async def persons_part(session: AsyncSession, database: Database, game: str, asked: PersonsQuery) -> PersonsPart:
    """One page of the table of persons."""
    everybody = await persons_of(database, await standing(session, database, game))
    group = None if asked.group is None else frozenset(await members(session, database, game, asked.group))
    chosen = [place for place in range(len(everybody)) if _matches(everybody.columns, place, asked, group)]
    chosen.sort(key=lambda place: _rank(everybody.columns, place, asked.order))
    pages = max(1, ceil(len(chosen) / ROWS))
    page = min(asked.page, pages)
    rows = chosen[(page - 1) * ROWS : page * ROWS]
    return PersonsPart(
        total=len(chosen),
        page=page,
        pages=pages,
        rows=[PersonRow.model_validate(everybody.row(place)) for place in rows],
    )


def _matches(columns: Record, place: int, asked: PersonsQuery, group: frozenset[str] | None) -> bool:
    return (
        (not asked.experts or columns["super_expert"][place])
        and (group is None or columns["person"][place] in group)
        and asked.name.casefold() in columns["person"][place]
    )


def _rank(columns: Record, place: int, order: Order) -> tuple[bool, float, str]:
    """The largest first, unknown values last, ties by name."""
    value = None if order == "person" else columns[order][place]
    return (value is None, -(value or 0.0), columns["person"][place])


async def learning(session: AsyncSession, database: Database, game: str) -> list[Lesson]:
    """How often persons are right at their first, second, … judgement; without those whom ratings leave out."""
    ratings = await standing(session, database, game)
    if ratings is None:
        return []
    kinds = ("programs_learnt", "humans_learnt")
    learnt = {kind: {one["number"]: one for one in (ratings.checks or {}).get(kind, ())} for kind in kinds}
    return [
        Lesson(
            number=one["number"],
            programs=share(one["programs_right"], one["programs"]),
            humans=share(one["humans_right"], one["humans"]),
            **{kind: learnt[kind].get(one["number"]) for kind in kinds},
        )
        for one in ratings.learning
    ]


async def person_page(
    session: AsyncSession, database: Database, game: str, pseudonym: str, *, with_email: bool
) -> tuple[Person, PersonPage]:
    """Everything about one person; ratings and judgements are those of a game. Raises NotFound."""
    person = await session.scalar(select(Person).where(Person.pseudonym == pseudonym))
    if person is None:
        raise NotFound(N_("There is nobody called %(name)s."), name=pseudonym)
    ratings = await standing(session, database, game)
    own = (await persons_of(database, ratings)).of(pseudonym)
    history = await weight_history(session, game, person.id)
    flags = await session.scalars(
        select(FalsifierFlag).where(FalsifierFlag.person_id == person.id).order_by(FalsifierFlag.name)
    )
    email = await session.scalar(select(Account.email).where(Account.person_id == person.id)) if with_email else None
    return person, PersonPage(
        person=pseudonym,
        since=person.created_at,
        rating=PersonRow.model_validate(own) if own else None,
        rated=ratings.rated if ratings else None,
        asked=_asked(ratings),
        left_out=person.id in await left_out(session),
        history=[_point(number, point) for number, point in enumerate(history, start=1)],
        judged=_judged(history),
        flags=[Flag(name=one.name, evidence=one.evidence, state=one.state, decided_by=one.decided_by) for one in flags],
        matches=await newest_matches(database.pool, OF_PERSON, game, person.id),
        email=email,
    )


def _asked(ratings: Standing | None) -> list[str]:
    experts = ratings.record["settings"]["experts"] if ratings else {}
    return list(RULES[experts.get("rule", "bounds")])


def _point(number: int, point: LabPoint) -> WeightPoint:
    return WeightPoint(
        number=number,
        at=datetime.fromtimestamp(point.time, UTC),
        match=int(point.match),
        seat_truth=point.seat_truth,
        right=point.right,
        overall=point.overall,
    )


def _judged(history: list[LabPoint]) -> list[Judged]:
    """By what was judged, the most often judged first."""
    found: dict[str, Judged] = {}
    for point in history:
        one = found.setdefault(point.seat_truth, Judged(truth=point.seat_truth, judgements=0, right=0, weight=0.0))
        one.judgements += 1
        one.right += point.right
        one.weight = point.for_truth
    return sorted(found.values(), key=lambda one: (-one.judgements, one.truth))
