"""Strategies for researchers: all of them with their statistics, and each with what is known about it."""

from __future__ import annotations

from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from games.protocol import Game
from npc.composed import Strategy, StrategyError, explain_in_words
from npc.composed import strategy as read_strategy
from npc.prolog import vocabulary_of
from server.base.errors import N_, NotFound
from server.dashboards.matches import MOST, OF_STRATEGY, newest_matches
from server.dashboards.periods import Unit, sql, unit_for
from server.dashboards.relatives import Origin, family, origins
from server.dashboards.schemas import (
    Course,
    ElementOf,
    OpenAnswer,
    Rating,
    Strategies,
    StrategyPage,
    StrategyRow,
)
from server.dashboards.shares import by_person, clustered
from server.dashboards.standing import Standing, standing
from server.matchmaking.population import population
from server.questionnaires.free_texts import items_of_type
from server.rule_bases import repository as rule_bases
from server.rules.service import open_game
from server.storage.database import Database

WIDEST_KNOWN: Final = 0.5
"""How wide the interval of the share judged human may be for a strategy that something is known about."""
LOOKED_THROUGH: Final = 1000
"""In how many of a strategy's matches open answers are looked for."""

# The log is in the order of time, as far as the choice of a unit is concerned.
SPAN = """
SELECT (SELECT at FROM judgements WHERE game = $1 AND strategy = $2 ORDER BY id LIMIT 1),
       (SELECT at FROM judgements WHERE game = $1 AND strategy = $2 ORDER BY id DESC LIMIT 1)
"""

# Without whom the ratings leave out, so that both count the same judgements.
ABOUT = "game = $1 AND strategy = $2 AND person_id <> ALL ($3::bigint[])"
LEFT_OUT = "SELECT id FROM persons WHERE pseudonym = ANY($1)"

# Answers about a seat on which this strategy sat from the start, in its newest matches; the newest answer to each
# question counts. OFFSET 0 keeps Postgres from reading all answers of the study first, whose share of texts it guesses.
OPEN_ANSWERS = f"""
SELECT a.at, q.match_id, p.pseudonym, q.version_id, a.item, a.value #>> '{{}}' AS text
FROM (SELECT seat.match_id, seat.seat FROM match_seats seat JOIN matches m ON m.id = seat.match_id
      WHERE m.game = $1 AND seat.strategy = $2 AND seat.person_id IS NULL
      ORDER BY seat.match_id DESC LIMIT {LOOKED_THROUGH}) s
JOIN questionnaire_sheets q ON q.match_id = s.match_id
CROSS JOIN LATERAL (
    SELECT DISTINCT ON (item) at, item, value FROM answers
    WHERE sheet_id = q.id AND seat = s.seat AND item = ANY($3) ORDER BY item, id DESC OFFSET 0
) AS a
JOIN persons p ON p.id = q.person_id
WHERE jsonb_typeof(a.value) = 'string' ORDER BY s.match_id DESC LIMIT $4
"""  # noqa: S608 - the number is ours


async def strategies(session: AsyncSession, database: Database, game: str) -> Strategies:
    """All strategies of a game that were ever judged or in a round or play now, the most surely human first."""
    ratings = await standing(session, database, game)
    playing = frozenset((await population(session, game)).strategies)
    async with database.pool.acquire() as connection:
        known = await origins(connection, game)
    names = {*known, *playing, *(ratings.strategies if ratings else ())}
    rows = [_row(name, known.get(name, Origin()), name in playing, ratings) for name in names]
    return Strategies(
        rated=ratings.rated if ratings else None,
        humans=ratings.record["humans"] if ratings else None,
        human_point=ratings.humans if ratings else None,
        judges=ratings.record["judges"] if ratings else None,
        margin=ratings.record["settings"]["turing"]["margin"] if ratings else None,
        strategies=sorted(rows, key=most_surely_human_first),
    )


def most_surely_human_first(row: StrategyRow) -> tuple[float, str]:
    """By the lower bound: one judgement proves nothing, however it went."""
    judged = row.rating.judged_human if row.rating else None
    return (1.0 if judged is None or judged.share is None else -judged.interval[0], row.strategy)


def is_known(rating: Rating | None) -> bool:
    """Whether judgements narrow the share judged human down enough to say anything."""
    if rating is None or rating.judged_human.share is None:
        return False
    low, high = rating.judged_human.interval
    return high - low <= WIDEST_KNOWN


def _row(name: str, origin: Origin, plays: bool, ratings: Standing | None) -> StrategyRow:
    record = ratings.strategies.get(name) if ratings else None
    rating = None if record is None else Rating.model_validate(record)
    return StrategyRow(
        strategy=name,
        generation=origin.generation,
        origin=origin.origin,
        parents=list(origin.parents),
        plays=plays,
        rating=rating,
        known=is_known(rating),
    )


async def strategy_page(session: AsyncSession, database: Database, game: str, name: str) -> StrategyPage:
    """Everything about one strategy of a game. Raises NotFound for what is no strategy there and never was one."""
    rules = await open_game(session, game)
    composed = _composed(name, rules)
    chosen = composed.name if composed else name
    ratings = await standing(session, database, game)
    items = await items_of_type(session, "open", "half_open")
    plays = chosen in (await population(session, game)).strategies
    script = (
        vocabulary_of(rules).script_of(composed)
        if composed
        else (await rule_bases.scripts(session, [chosen])).get(chosen)
    )
    async with database.pool.acquire() as connection, connection.transaction(readonly=True):
        relatives = await family(connection, game, chosen)
        rated = ratings is not None and chosen in ratings.strategies
        if composed is None and script is None and not relatives["memberships"] and not rated:
            raise NotFound(N_("There is no strategy called %(name)s."), name=name)
        known = await origins(connection, game)
        first, last = await connection.fetchrow(SPAN, game, chosen)
        unit = unit_for(last - first) if first else Unit.DAY
        without = [row["id"] for row in await connection.fetch(LEFT_OUT, list(ratings.left_out if ratings else ()))]
        course = await connection.fetch(by_person(ABOUT, sql("at", unit)), game, chosen, without)
        matches = await newest_matches(connection, OF_STRATEGY, game, chosen)
        keys = sorted({key for questions in items.values() for key in questions})
        answers = await connection.fetch(OPEN_ANSWERS, game, chosen, keys, MOST)
    return StrategyPage(
        strategy=chosen,
        elements=[ElementOf(name=one.name, meaning=one.meaning) for one in composed.elements] if composed else [],
        words=explain_in_words(composed) if composed else None,
        prolog=script,
        row=_row(chosen, known.get(chosen, Origin()), plays, ratings),
        rated=ratings.rated if ratings else None,
        humans=ratings.record["humans"] if ratings else None,
        human_point=ratings.humans if ratings else None,
        unit=unit,
        course=[
            Course(
                at=row["period"],
                artificial=clustered(row["trials"], row["yes"]),
                fun=row["fun"],
                challenge=row["challenge"],
            )
            for row in course
        ],
        matches=matches,
        answers=[
            OpenAnswer(
                at=row["at"],
                match=row["match_id"],
                person=row["pseudonym"],
                question=items[row["version_id"]][row["item"]],
                text=row["text"],
            )
            for row in answers
            if row["item"] in items.get(row["version_id"], {})
        ],
        **relatives,
    )


def _composed(name: str, game: Game) -> Strategy | None:
    try:
        return read_strategy(name, game)
    except StrategyError:
        return None
