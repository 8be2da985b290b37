"""Groups of persons: by their pattern of detections, as the ratings find them, or by what they say of themselves."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from sqlalchemy.ext.asyncio import AsyncSession

from lab.intervals import normal_quantile
from server.base.errors import N_, NotFound
from server.dashboards.schemas import AttributeReport, AttributeRow, Mean
from server.dashboards.shares import clustered
from server.dashboards.standing import RatedPersons, persons_of, standing
from server.questionnaires import repository as questionnaires
from server.questionnaires.content import ChoiceItem, CountryItem, Questionnaire
from server.storage.database import Database

# The newest sheet of each person holds what counts; an empty value means that it was cleared.
VALUES = """
SELECT p.id, p.pseudonym, a.value #>> '{}' AS value
FROM (SELECT DISTINCT ON (person_id) person_id, id FROM questionnaire_sheets
      WHERE match_id IS NULL ORDER BY person_id, id DESC) AS sheet
CROSS JOIN LATERAL (SELECT value FROM answers
                    WHERE sheet_id = sheet.id AND item = $1 AND seat IS NULL ORDER BY id DESC LIMIT 1) AS a
JOIN persons p ON p.id = sheet.person_id
WHERE a.value IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An item of the profile that has named values; `options` is empty where they are too many to list."""

    key: str
    text: dict[str, str]
    options: dict[str, dict[str, str]]


async def attributes(session: AsyncSession) -> list[Attribute]:
    """What persons can be grouped by, from the profile that is asked now."""
    content = Questionnaire.model_validate((await questionnaires.published(session, "profile")).content)
    return [
        Attribute(
            item.key,
            item.text.model_dump(),
            {one.key: one.text.model_dump() for one in item.options} if isinstance(item, ChoiceItem) else {},
        )
        for item in content.items
        if isinstance(item, CountryItem) or (isinstance(item, ChoiceItem) and not item.several)
    ]


async def members(session: AsyncSession, database: Database, game: str, group: str) -> list[str]:
    """The pseudonyms of a group, which may be one of the game's ratings; nobody's where there is no such group."""
    attribute, _, value = group.partition(":")
    if not value:
        return (await persons_of(database, await standing(session, database, game))).members(int(group))
    return [row["pseudonym"] for row in await values_of(database, attribute) if row["value"] == value]


async def report(session: AsyncSession, database: Database, game: str, key: str) -> AttributeReport:
    """How those judge in a game who say the same of themselves. Raises NotFound."""
    attribute = next((one for one in await attributes(session) if one.key == key), None)
    if attribute is None:
        raise NotFound(N_("The profile does not ask for %(name)s."), name=key)
    ratings = await standing(session, database, game)
    rated = await persons_of(database, ratings)
    places: dict[str, list[int]] = defaultdict(list)
    for row in await values_of(database, key):
        if (place := rated.places.get(row["pseudonym"])) is not None:
            places[row["value"]].append(place)
    groups = len(ratings.record["groups"]) if ratings else 0
    order = list(attribute.options) or sorted(places, key=lambda value: -len(places[value]))
    return AttributeReport(
        attribute=key,
        text=attribute.text,
        rows=[_row(value, attribute.options.get(value, {}), places[value], rated, groups) for value in order],
    )


def _row(value: str, text: dict[str, str], places: list[int], rated: RatedPersons, groups: int) -> AttributeRow:
    def of(name: str) -> list[int]:
        return [rated.columns[name][place] for place in places]

    shares = of("group")
    met = [(seats, hits) for seats, hits in zip(of("program_seats"), of("hits"), strict=True) if seats]
    heard = [
        (seats, seats - alarms) for seats, alarms in zip(of("human_seats"), of("false_alarms"), strict=True) if seats
    ]
    return AttributeRow(
        value=value,
        text=text,
        persons=len(places),
        experts=sum(of("super_expert")),
        detected=clustered(*_columns(met)),
        not_accused=clustered(*_columns(heard)),
        ability=_mean([one for one in of("ability") if one is not None]),
        groups=[shares.count(group) for group in range(groups)],
    )


def _columns(pairs: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [first for first, _ in pairs], [second for _, second in pairs]


def _mean(values: list[float]) -> Mean:
    """A mean with its 95 % interval; one value has none."""
    if len(values) < 2:
        return Mean(mean=values[0] if values else None, low=None, high=None)
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    reach = normal_quantile(0.95) * (variance / len(values)) ** 0.5
    return Mean(mean=mean, low=mean - reach, high=mean + reach)


async def values_of(database: Database, attribute: str) -> list[asyncpg.Record]:
    rows: list[asyncpg.Record] = await database.pool.fetch(VALUES, attribute)
    return rows
