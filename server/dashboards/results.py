"""What was answered: distributions per item and version, and cross tables, with intervals clustered by person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy.ext.asyncio import AsyncSession

from lab.arrays import Floats
from lab.turing.shares import Mean, mean_of_sums
from server.dashboards.answers import MOST_CHOICES, Given, Givers, Part, packed, summed
from server.dashboards.given import EVER, answers_given
from server.dashboards.schemas import Share
from server.dashboards.shares import clustered
from server.questionnaires.content import ChoiceItem, Item, Questionnaire
from server.questionnaires.models import QuestionnaireVersion
from server.storage.database import driver_of

BINS = 10
MOST_COUNTRIES = 20


@dataclass(frozen=True)
class Bar:
    """One option: how often it was chosen, about humans, about programs and in all; its share of the answers."""

    text: dict[str, str]
    of_humans: int
    of_programs: int
    total: int
    share: Share


@dataclass(frozen=True)
class Distribution:
    """How often each option of an item was chosen, in how many answers of how many persons; the mean of a scale."""

    item: Item
    answered: int
    persons: int
    bars: list[Bar]
    mean: Mean | None = None


@dataclass(frozen=True)
class CrossTable:
    """How often the options of two items were chosen together, on the same sheet about the same seat.

    `shares` are those of the columns in each row.
    """

    rows: list[tuple[dict[str, str], list[int]]]
    shares: list[tuple[dict[str, str], list[Share]]]
    columns: list[dict[str, str]]


async def distributions(session: AsyncSession, version: QuestionnaireVersion, game: str) -> list[Distribution]:
    """Of every item that can be counted, after matches of a game."""
    content = Questionnaire.model_validate(version.content)
    countable = [item for item in content.items if item.type in ("choice", "scale", "country")]
    given = await _given(session, version, game, countable)
    return [_distribution(item, given) for item in countable]


async def cross_table(
    session: AsyncSession, version: QuestionnaireVersion, game: str, first: str, second: str
) -> CrossTable | None:
    """Two choice items against each other, after matches of a game; None if they are not both choices."""
    content = Questionnaire.model_validate(version.content)
    items = {item.key: item for item in content.items if isinstance(item, ChoiceItem) and not item.several}
    if first not in items or second not in items:
        return None
    one, other = items[first], items[second]
    if first == second:
        single = await _given(session, version, game, [one])
        about = [{(value, value): givers} for (_, _, item, _, value), givers in single.items() if item == first]
        return _crossed(one, other, summed(about))
    ahead, behind = sorted((first, second))
    if version.purpose == "after_match" and len(items) <= MOST_CHOICES:
        pairs = await answers_given(await driver_of(session), _place(session), Part.PAIRS)
    else:
        pairs = await _counted(session, version, Part.PAIRS, [one, other])
    return _crossed(
        one,
        other,
        {
            (left, right) if ahead == first else (right, left): givers
            for (where, played, item, partner, left, right), givers in pairs.items()
            if (where, played, item, partner) == (version.id, about_game(version, game), ahead, behind)
        },
    )


def about_game(version: QuestionnaireVersion, game: str) -> str:
    """The game in the keys of this version's answers: the profile is about none."""
    return game if version.purpose == "after_match" else ""


async def _given(session: AsyncSession, version: QuestionnaireVersion, game: str, items: Iterable[Item]) -> Given:
    """Who gave which answer to this version's items; mostly from what was counted before."""
    if version.purpose != "after_match":
        return await _counted(session, version, Part.SINGLE, items)
    given = await answers_given(await driver_of(session), _place(session), Part.SINGLE)
    return {key: givers for key, givers in given.items() if key[:2] == (version.id, game)}


async def _counted(session: AsyncSession, version: QuestionnaireVersion, part: Part, items: Iterable[Item]) -> Given:
    """The same for some items, all from the tables."""
    wanted = {version.id: {item.key: True for item in items}}
    about_matches = version.purpose == "after_match"
    return (await packed(await driver_of(session), part, wanted, *EVER, about_matches=about_matches)).unpacked()


def _place(session: AsyncSession) -> str:
    return str(session.get_bind().engine.url)


def _distribution(item: Item, given: Given) -> Distribution:
    about = {(program, value): givers for (_, _, key, program, value), givers in given.items() if key == item.key}
    everybody = ByPerson(about)
    return Distribution(
        item,
        everybody.answers,
        len(everybody.trials),
        [_bar(text, fits, everybody) for text, fits in _groups(item, about)],
        _mean(item, everybody),
    )


class ByPerson:
    """Every person's own counts of some answers."""

    def __init__(self, given: Mapping[Any, Givers]):
        self._given = given
        self._most = max((int(one.persons.max(initial=0)) for one in given.values()), default=0)
        every = self._sum(lambda _: 1)
        self._asked = every > 0
        self.trials = every[self._asked]
        self.answers = int(self.trials.sum())

    def sums(self, worth: Callable[[Any], float]) -> Floats:
        """What the answers of each person who gave any are worth together."""
        return self._sum(worth)[self._asked]

    def _sum(self, worth: Callable[[Any], float]) -> Floats:
        found = np.zeros(self._most + 1)
        for key, givers in self._given.items():
            if weight := worth(key):
                found += weight * givers.by_person(self._most)
        return found

    def total(self, fits: Callable[[Any], bool]) -> int:
        return sum(givers.total for key, givers in self._given.items() if fits(key))


def _bar(text: dict[str, str], fits: Callable[[Any], bool], everybody: ByPerson) -> Bar:
    of_humans = everybody.total(lambda key: not key[0] and fits(key[1]))
    of_programs = everybody.total(lambda key: key[0] and fits(key[1]))
    share = clustered(everybody.trials, everybody.sums(lambda key: fits(key[1])))
    return Bar(text, of_humans, of_programs, of_humans + of_programs, share)


def _mean(item: Item, everybody: ByPerson) -> Mean | None:
    if item.type != "scale" or not everybody.answers:
        return None
    return mean_of_sums(everybody.trials, everybody.sums(lambda key: key[1]), (item.low, item.high))


def _groups(item: Item, about: Mapping[Any, Givers]) -> list[tuple[dict[str, str], Callable[[Any], bool]]]:
    """The bars with the answers that stand in each: an option, a piece of a scale, a country."""
    if item.type == "choice":
        return [(option.text.model_dump(), _chose(option.key)) for option in item.options]
    if item.type == "scale":
        width = max(1, (item.high - item.low) // BINS)
        pieces = [(low, min(low + width, item.high)) for low in range(item.low, item.high, width)]
        return [(_same(f"{low}–{high}"), _lies(low, high, item.high)) for low, high in pieces]
    countries: Counter[str] = Counter()
    for (_, code), givers in about.items():
        countries[code] += givers.total
    return [(_same(code), _chose(code)) for code, _ in countries.most_common(MOST_COUNTRIES)]


def _chose(option: str) -> Callable[[Any], bool]:
    """Where several options may be chosen, every answer that has it among them counts."""
    return lambda value: value == option or (isinstance(value, tuple) and option in value)


def _lies(low: int, high: int, last: int) -> Callable[[Any], bool]:
    return lambda value: low <= value < high or value == high == last


def _same(text: str) -> dict[str, str]:
    return {"en": text, "de": text}


def _crossed(one: ChoiceItem, other: ChoiceItem, pairs: Mapping[tuple[Any, Any], Givers]) -> CrossTable:
    rows, shares = [], []
    for row in one.options:
        text = row.text.model_dump()
        own = ByPerson({column: givers for (left, column), givers in pairs.items() if left == row.key})
        chosen = [_chose(column.key) for column in other.options]
        rows.append((text, [own.total(fits) for fits in chosen]))
        shares.append((text, [clustered(own.trials, own.sums(fits)) for fits in chosen]))
    return CrossTable(rows, shares, [column.text.model_dump() for column in other.options])
