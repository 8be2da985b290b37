"""The researchers' dashboards: pages below /research and the same as JSON below /api/research."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.dependencies import DatabaseOf, Researcher, Session
from server.accounts.models import Role
from server.dashboards import attributes, persons, strategies
from server.dashboards import overview as overviews
from server.dashboards.choices import choices, groups
from server.dashboards.filters import FilterOf
from server.dashboards.persons import PersonsQueryOf
from server.dashboards.relatives import trees
from server.dashboards.schemas import (
    AttributeReport,
    Lesson,
    Overview,
    PersonPage,
    Persons,
    PersonsPart,
    Strategies,
    StrategyPage,
)
from server.falsifiers.meanings import MEANINGS
from server.rounds.reasons import told
from server.web import gettext, language_of, render

router = APIRouter(tags=["research"], responses={401: {}, 403: {}})

Name = Annotated[str, Path(max_length=200, pattern=r"^[^\x00]*$")]


@router.get("/api/research/overview")
async def overview_data(session: Session, database: DatabaseOf, _: Researcher, chosen: FilterOf) -> Overview:
    """The study at a glance, for a chosen part of it."""
    return await overviews.overview(session, database, chosen)


@router.get("/research", include_in_schema=False)
async def overview_page(
    request: Request, session: Session, database: DatabaseOf, _: Researcher, chosen: FilterOf
) -> Response:
    return render(
        request,
        "research/overview.html",
        overview=await overviews.overview(session, database, chosen),
        choices=await choices(session, database, language_of(request), partial(gettext, request)),
        chosen=chosen,
        why=partial(told, say=partial(gettext, request)),
    )


@router.get("/api/research/strategies")
async def strategies_data(session: Session, database: DatabaseOf, _: Researcher) -> Strategies:
    """Every strategy with all its statistics and its generation."""
    return await strategies.strategies(session, database)


@router.get("/research/strategies", include_in_schema=False)
async def strategies_page(request: Request, session: Session, database: DatabaseOf, _: Researcher) -> Response:
    return render(request, "research/strategies.html", found=await strategies.strategies(session, database))


@router.get("/api/research/strategies/{name}", responses={404: {}})
async def strategy_data(session: Session, database: DatabaseOf, _: Researcher, name: Name) -> StrategyPage:
    """One strategy: its list, words, Prolog form, family, judgements over time, open answers and matches."""
    return await strategies.strategy_page(session, database, name)


@router.get("/research/strategies/{name}", include_in_schema=False)
async def strategy_page(
    request: Request, session: Session, database: DatabaseOf, _: Researcher, name: Name
) -> Response:
    found = await strategies.strategy_page(session, database, name)
    return render(request, "research/strategy.html", found=found, trees=await trees(session, found.strategy))


@router.get("/api/research/persons")
async def persons_data(session: Session, database: DatabaseOf, _: Researcher, asked: PersonsQueryOf) -> PersonsPart:
    """Persons with their abilities and signal detection, fifty at a time."""
    return await persons.persons_part(session, database, asked)


@router.get("/api/research/rasch")
async def rasch_data(session: Session, database: DatabaseOf, _: Researcher) -> Persons:
    """The person-item map, the items with their errors and fit, and the groups."""
    return await persons.persons(session, database)


@router.get("/api/research/learning")
async def learning_data(session: Session, database: DatabaseOf, _: Researcher) -> list[Lesson]:
    """How often persons are right, by the number of the judgement."""
    return await persons.learning(session, database)


@router.get("/api/research/attributes/{attribute}", responses={404: {}})
async def attribute_data(session: Session, database: DatabaseOf, _: Researcher, attribute: Name) -> AttributeReport:
    """How those judge who say the same of themselves."""
    return await attributes.report(session, database, attribute)


@router.get("/research/persons", include_in_schema=False)
async def persons_page(
    request: Request, session: Session, database: DatabaseOf, _: Researcher, asked: PersonsQueryOf
) -> Response:
    found = await persons.persons(session, database)
    return render(
        request,
        "research/persons.html",
        found=found,
        part=await persons.persons_part(session, database, asked),
        asked=asked,
        group_choices=await groups(session, database, language_of(request), partial(gettext, request)),
        attributes=await attributes.attributes(session),
    )


@router.get("/api/research/persons/{pseudonym}", responses={404: {}})
async def person_data(session: Session, database: DatabaseOf, who: Researcher, pseudonym: Name) -> PersonPage:
    """One person by pseudonym; the address is told to admins alone."""
    _, page = await persons.person_page(session, database, pseudonym, with_email=who.role is Role.ADMIN)
    return page


@router.get("/research/persons/{pseudonym}", include_in_schema=False)
async def person_page(
    request: Request, session: Session, database: DatabaseOf, who: Researcher, pseudonym: Name
) -> Response:
    person, page = await persons.person_page(session, database, pseudonym, with_email=who.role is Role.ADMIN)
    return render(request, "research/person.html", found=page, person_id=person.id, meanings=MEANINGS)
