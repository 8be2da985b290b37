"""The researchers' dashboards: pages below /research and the same as JSON below /api/research."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.dependencies import Researcher, rationed
from server.accounts.models import Role
from server.dashboards import attributes, persons, routes_results, statistics, strategies
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
    PersonsOverview,
    PersonsPart,
    Strategies,
    StrategyPage,
)
from server.dashboards.statistics_schemas import Statistics
from server.falsifiers.meanings import MEANINGS
from server.rounds.reasons import told
from server.study.games import GameChoiceOf, GameOf
from server.web.dependencies import DatabaseOf, Session
from server.web.rendering import gettext, language_of, render

router = APIRouter(tags=["research"], responses={401: {}, 403: {}}, dependencies=[rationed("study-account")])
router.include_router(routes_results.router)

Name = Annotated[str, Path(max_length=200, pattern=r"^[^\x00]*$")]


@router.get("/api/research/overview")
async def overview_data(session: Session, database: DatabaseOf, _: Researcher, chosen: FilterOf) -> Overview:
    """The study at a glance, for a chosen part of it."""
    return await overviews.overview(session, database, chosen)


@router.get("/research", include_in_schema=False)
async def overview_page(
    request: Request, session: Session, database: DatabaseOf, _: Researcher, games: GameChoiceOf, chosen: FilterOf
) -> Response:
    return render(
        request,
        "research/overview.html",
        games=games,
        overview=await overviews.overview(session, database, chosen),
        choices=await choices(session, database, games, language_of(request), partial(gettext, request)),
        chosen=chosen,
        why=partial(told, say=partial(gettext, request)),
    )


@router.get("/api/research/strategies")
async def strategies_data(session: Session, database: DatabaseOf, _: Researcher, game: GameOf) -> Strategies:
    """Every strategy of a game with all its statistics and its generation."""
    return await strategies.strategies(session, database, game)


@router.get("/research/strategies", include_in_schema=False)
async def strategies_page(
    request: Request, session: Session, database: DatabaseOf, _: Researcher, games: GameChoiceOf
) -> Response:
    found = await strategies.strategies(session, database, games.chosen)
    return render(request, "research/strategies.html", found=found, games=games)


@router.get("/api/research/strategies/{name}", responses={404: {}})
async def strategy_data(
    session: Session, database: DatabaseOf, _: Researcher, game: GameOf, name: Name
) -> StrategyPage:
    """One strategy: its list, words, Prolog form, family, judgements over time, open answers and matches."""
    return await strategies.strategy_page(session, database, game, name)


@router.get("/research/strategies/{name}", include_in_schema=False)
async def strategy_page(
    request: Request, session: Session, database: DatabaseOf, _: Researcher, games: GameChoiceOf, name: Name
) -> Response:
    found = await strategies.strategy_page(session, database, games.chosen, name)
    drawn = await trees(session, games.chosen, found.strategy)
    return render(request, "research/strategy.html", found=found, trees=drawn, games=games)


@router.get("/api/research/statistics")
async def statistics_data(session: Session, database: DatabaseOf, _: Researcher, game: GameOf) -> Statistics:
    """The crossed mixed model, how good the judges are, and whether the models hold."""
    return await statistics.statistics(session, database, game)


@router.get("/research/statistics", include_in_schema=False)
async def statistics_page(
    request: Request, session: Session, database: DatabaseOf, _: Researcher, games: GameChoiceOf
) -> Response:
    found = await statistics.statistics(session, database, games.chosen)
    return render(request, "research/statistics.html", found=found, games=games)


@router.get("/api/research/persons")
async def persons_data(
    session: Session, database: DatabaseOf, _: Researcher, game: GameOf, asked: PersonsQueryOf
) -> PersonsPart:
    """Persons with their abilities and signal detection in a game, fifty at a time."""
    return await persons.persons_part(session, database, game, asked)


@router.get("/api/research/rasch")
async def rasch_data(session: Session, database: DatabaseOf, _: Researcher, game: GameOf) -> PersonsOverview:
    """The person-item map, the items with their errors and fit, and the groups."""
    return await persons.persons(session, database, game)


@router.get("/api/research/learning")
async def learning_data(session: Session, database: DatabaseOf, _: Researcher, game: GameOf) -> list[Lesson]:
    """How often persons are right, by the number of the judgement."""
    return await persons.learning(session, database, game)


@router.get("/api/research/attributes/{attribute}", responses={404: {}})
async def attribute_data(
    session: Session, database: DatabaseOf, _: Researcher, game: GameOf, attribute: Name
) -> AttributeReport:
    """How those judge who say the same of themselves."""
    return await attributes.report(session, database, game, attribute)


@router.get("/research/persons", include_in_schema=False)
async def persons_page(
    request: Request, session: Session, database: DatabaseOf, _: Researcher, games: GameChoiceOf, asked: PersonsQueryOf
) -> Response:
    found = await persons.persons(session, database, games.chosen)
    return render(
        request,
        "research/persons.html",
        found=found,
        games=games,
        part=await persons.persons_part(session, database, games.chosen, asked),
        asked=asked,
        group_choices=await groups(session, database, games.chosen, language_of(request), partial(gettext, request)),
        attributes=await attributes.attributes(session),
    )


@router.get("/api/research/persons/{pseudonym}", responses={404: {}})
async def person_data(
    session: Session, database: DatabaseOf, who: Researcher, game: GameOf, pseudonym: Name
) -> PersonPage:
    """One person by pseudonym; the address is told to admins alone."""
    _, page = await persons.person_page(session, database, game, pseudonym, with_email=who.role is Role.ADMIN)
    return page


@router.get("/research/persons/{pseudonym}", include_in_schema=False)
async def person_page(
    request: Request, session: Session, database: DatabaseOf, who: Researcher, games: GameChoiceOf, pseudonym: Name
) -> Response:
    person, page = await persons.person_page(
        session, database, games.chosen, pseudonym, with_email=who.role is Role.ADMIN
    )
    return render(request, "research/person.html", found=page, person_id=person.id, meanings=MEANINGS, games=games)
