"""What was answered: distributions per item and version, and cross tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from lab.intervals import wilson
from server.dashboards.answers import MOST_CHOICES
from server.dashboards.days import answers_given
from server.judgements.repository import driver_of
from server.live.models import MatchSeat
from server.questionnaires.content import ChoiceItem, Item, Questionnaire
from server.questionnaires.models import Answer, QuestionnaireVersion, Sheet

BINS = 10


@dataclass(frozen=True)
class Bar:
    """One option: how often it was chosen, about humans, about programs and in all; its share with 95 % interval."""

    text: dict[str, str]
    of_humans: int
    of_programs: int
    total: int
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Distribution:
    item: Item
    answered: int
    bars: list[Bar]


@dataclass(frozen=True)
class CrossTable:
    """How often the options of two items were chosen together, on the same sheet about the same seat."""

    rows: list[tuple[dict[str, str], list[int]]]
    columns: list[dict[str, str]]


async def distributions(session: AsyncSession, version: QuestionnaireVersion) -> list[Distribution]:
    """Of every item that can be counted."""
    content = Questionnaire.model_validate(version.content)
    count = _kept_counts if version.purpose == "after_match" else _counts
    counts = await count(session, version.id)
    return [
        Distribution(item, sum(about.total() for about in counts.get(item.key, {}).values()), _bars(item, counts))
        for item in content.items
        if item.type in ("choice", "scale", "country")
    ]


async def cross_table(
    session: AsyncSession, version: QuestionnaireVersion, first: str, second: str
) -> CrossTable | None:
    """Two choice items against each other; None if they are not both choices."""
    content = Questionnaire.model_validate(version.content)
    items = {item.key: item for item in content.items if isinstance(item, ChoiceItem) and not item.several}
    if first not in items or second not in items:
        return None
    one, other = items[first], items[second]
    if version.purpose == "after_match" and first != second and len(items) <= MOST_CHOICES:
        kept = (await answers_given(await driver_of(session))).pairs
        ahead, behind = sorted((first, second))
        return _crossed(
            one,
            other,
            {
                (row.key, column.key): kept[
                    version.id, ahead, behind, *((row.key, column.key) if ahead == first else (column.key, row.key))
                ]
                for row in one.options
                for column in other.options
            },
        )
    given: dict[tuple[int, int | None], dict[str, Any]] = {}
    for sheet, item, seat, value, _ in await session.execute(_current(version.id)):
        if item in (first, second):
            given.setdefault((sheet, seat), {})[item] = value
    # An item about the whole match holds for every seat of its sheet.
    whole = {sheet: values for (sheet, seat), values in given.items() if seat is None}
    pairs: Counter[tuple[Any, Any]] = Counter()
    for (sheet, seat), values in given.items():
        both = whole.get(sheet, {}) | values if seat is not None else values
        if first in both and second in both and (first in values or second in values):
            pairs[both[first], both[second]] += 1
    return _crossed(one, other, pairs)


def _crossed(one: ChoiceItem, other: ChoiceItem, pairs: Mapping[tuple[Any, Any], int]) -> CrossTable:
    return CrossTable(
        [(row.text.model_dump(), [pairs[row.key, column.key] for column in other.options]) for row in one.options],
        [column.text.model_dump() for column in other.options],
    )


async def _kept_counts(session: AsyncSession, version_id: int) -> dict[str, dict[bool, Counter[Any]]]:
    """The same as `_counts`, mostly from what was counted before."""
    counts: dict[str, dict[bool, Counter[Any]]] = {}
    for (version, item, program, value), number in (await answers_given(await driver_of(session))).counts.items():
        if version == version_id:
            counts.setdefault(item, {}).setdefault(program, Counter())[value] += number
    return counts


def _current(version_id: int) -> Any:
    """Sheet, item, seat, value and what sat on the seat, of every answer that counts."""
    return (
        select(Answer.sheet_id, Answer.item, Answer.seat, Answer.value, MatchSeat.strategy)
        .ext(distinct_on(Answer.sheet_id, Answer.item, Answer.seat))
        .join(Sheet, Sheet.id == Answer.sheet_id)
        .outerjoin(MatchSeat, (MatchSeat.match_id == Sheet.match_id) & (MatchSeat.seat == Answer.seat))
        .where(Sheet.version_id == version_id)
        .order_by(Answer.sheet_id, Answer.item, Answer.seat, Answer.id.desc())
    )


async def _counts(session: AsyncSession, version_id: int) -> dict[str, dict[bool, Counter[Any]]]:
    """Per item, and whether a program was judged: how often each value was given; counted by the database."""
    current = _current(version_id).subquery()
    query = (
        select(current.c.item, current.c.strategy.is_not(None), current.c.value, func.count())
        .where(current.c.value.is_not(None))
        .group_by(current.c.item, current.c.strategy.is_not(None), current.c.value)
    )
    counts: dict[str, dict[bool, Counter[Any]]] = {}
    for item, program, value, count in await session.execute(query):
        about = counts.setdefault(item, {}).setdefault(program, Counter())
        for one in value if isinstance(value, list) else [value]:
            about[one if isinstance(one, str | int) else str(one)] += count
    return counts


def _bars(item: Item, counts: dict[str, dict[bool, Counter[Any]]]) -> list[Bar]:
    about = counts.get(item.key, {})
    humans, programs = about.get(False, Counter[Any]()), about.get(True, Counter[Any]())
    total = humans.total() + programs.total()
    return [
        _bar(text, sum(humans[key] for key in keys), sum(programs[key] for key in keys), total)
        for text, keys in _groups(item, humans + programs)
    ]


def _groups(item: Item, given: Counter[Any]) -> list[tuple[dict[str, str], set[Any]]]:
    """Which values stand together in one bar: an option, a piece of a scale, a country."""
    if item.type == "choice":
        return [(option.text.model_dump(), {option.key}) for option in item.options]
    if item.type == "scale":
        width = max(1, (item.high - item.low) // BINS)
        pieces = [(low, min(low + width, item.high)) for low in range(item.low, item.high, width)]
        return [
            (_same(f"{low}–{high}"), {v for v in given if low <= v < high or v == high == item.high})
            for low, high in pieces
        ]
    return [(_same(code), {code}) for code, _ in given.most_common(20)]


def _same(text: str) -> dict[str, str]:
    return {"en": text, "de": text}


def _bar(text: dict[str, str], of_humans: int, of_programs: int, total: int) -> Bar:
    count = of_humans + of_programs
    interval = wilson(count, total)
    return Bar(text, of_humans, of_programs, count, count / total if total else 0.0, interval.low, interval.high)
