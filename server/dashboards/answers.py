"""Who gave which answer how often, and which two together: counted once per day that is over, and kept.

Answers of one person resemble each other. An interval that knows this needs every person's own counts; how often an
answer was given in all does not do. Postgres packs them, NumPy adds them up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Self

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import numpy as np

from lab.arrays import Floats
from server.dashboards.chunks import JUDGED, Numbers
from server.questionnaires.content import ChoiceItem, Questionnaire

MOST_CHOICES: Final = 12
"""Of questionnaires with more choices than this no pairs are kept: there would be too many."""

VERSIONS = "SELECT id, content::text AS content FROM questionnaire_versions WHERE purpose = $1 AND state <> 'draft'"
# The newest answer to each question counts; one that was taken back is null.
GIVEN = """
SELECT * FROM (
    SELECT DISTINCT ON (a.sheet_id, a.item, a.seat)
           q.version_id AS version, coalesce(g.game, '') AS game, q.person_id AS person, a.sheet_id AS sheet,
           a.item, a.seat, a.value::text AS value, m.strategy IS NOT NULL AS program
    FROM questionnaire_sheets q JOIN answers a ON a.sheet_id = q.id
    LEFT JOIN matches g ON g.id = q.match_id
    LEFT JOIN match_seats m ON m.match_id = q.match_id AND m.seat = a.seat
    WHERE q.match_id IS {about} AND q.opened_at >= $1 AND q.opened_at < $2
      AND (q.version_id, a.item) IN (SELECT * FROM unnest($3::bigint[], $4::text[]))
    ORDER BY a.sheet_id, a.item, a.seat, a.id DESC
) AS newest WHERE value <> 'null'
"""
BY_PERSON = """
SELECT {key}, sum(number)::int8, string_agg(int4send(person::int4) || int4send(number::int4), ''::bytea)
FROM (SELECT {key}, person, count(*) AS number FROM {given} GROUP BY {key}, person) AS one GROUP BY {key}
"""
# All answers of a sheet are laid side by side first: joining them with themselves would need another plan than finding
# them does. An answer about the whole match holds for every seat of its sheet.
BESIDE = """
(SELECT version, game, person, array_agg(item) AS items, array_agg(seat) AS seats, array_agg(value) AS values
 FROM ({given}) AS given GROUP BY version, game, person, sheet) AS sheets
CROSS JOIN LATERAL unnest(items, seats, values) AS a(first, seat, one)
CROSS JOIN LATERAL unnest(items, seats, values) AS b(second, seat, other)
WHERE first < second COLLATE "C" AND (a.seat = b.seat OR a.seat IS NULL OR b.seat IS NULL)
"""

Key = tuple[Any, ...]
Items = Mapping[int, Mapping[str, bool]]
"""Per version its items that can be counted; whether they are choices of one option that pairs are kept of."""


class Part(StrEnum):
    """What is counted, by which columns."""

    SINGLE = "version, game, item, program, value"
    """Version, game (empty for the profile), item, whether a program was judged, and the answer."""
    PAIRS = "version, game, first, second, one, other"
    """Version, game, two items in the order of their names, and the answer to each."""


@dataclass(frozen=True, slots=True)
class Givers:
    """The persons who gave an answer, by number, each once; and how often each did."""

    persons: Numbers
    counts: Numbers

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    @classmethod
    def of(cls, packed: bytes) -> Self:
        rows = np.frombuffer(packed, JUDGED)
        return cls(rows["person"].astype(np.int32), rows["count"].astype(np.int32))

    def by_person(self, most: int) -> Floats:
        """How often each person gave it, for all persons up to the number `most`."""
        return np.bincount(self.persons, self.counts, most + 1).astype(np.float64, copy=False)


Given = dict[Key, Givers]


def summed(parts: Iterable[Mapping[Key, Givers]]) -> Given:
    """Everything that was given in any part."""
    found: dict[Key, list[Givers]] = {}
    for part in parts:
        for key, givers in part.items():
            found.setdefault(key, []).append(givers)
    return {key: several[0] if len(several) == 1 else _joined(several) for key, several in found.items()}


def _joined(several: list[Givers]) -> Givers:
    persons = np.concatenate([one.persons for one in several])
    counts = np.bincount(persons, np.concatenate([one.counts for one in several]))
    who = np.flatnonzero(counts)
    return Givers(who.astype(np.int32), counts[who].astype(np.int32))


@dataclass(frozen=True, slots=True)
class Packed:
    """Answers as a day keeps them: the keys, each with how often it was given in all, and the givers of each."""

    keys: list[list[Any]]
    givers: bytes
    """How many givers each key has, then all of them."""

    def unpacked(self) -> Given:
        sizes = np.frombuffer(self.givers, ">i4", len(self.keys))
        every = Givers.of(self.givers[4 * len(self.keys) :])
        ends = np.cumsum(sizes).tolist()
        return {
            tuple(_plain(one) for one in key): Givers(every.persons[begin:end], every.counts[begin:end])
            for (*key, _), begin, end in zip(self.keys, [0, *ends], ends, strict=False)
        }


async def items_of(connection: asyncpg.Connection, purpose: str = "after_match") -> Items:
    """The items of every version that can be counted."""
    found: dict[int, dict[str, bool]] = {}
    for row in await connection.fetch(VERSIONS, purpose):
        content = Questionnaire.model_validate_json(row["content"])
        countable = [item for item in content.items if item.type in ("choice", "scale", "country")]
        single = [item.key for item in countable if isinstance(item, ChoiceItem) and not item.several]
        crossed = single if len(single) <= MOST_CHOICES else []
        found[row["id"]] = {item.key: item.key in crossed for item in countable}
    return found


async def packed(
    connection: asyncpg.Connection,
    part: Part,
    items: Items,
    since: datetime,
    until: datetime,
    *,
    about_matches: bool = True,
) -> Packed:
    """What was answered on the sheets that were opened in this time."""
    given = GIVEN.format(about="NOT NULL" if about_matches else "NULL")
    source = BESIDE.format(given=given) if part is Part.PAIRS else f"({given}) AS given"
    wanted = [
        (version, key)
        for version, keys in items.items()
        for key, crossed in keys.items()
        if crossed or part is Part.SINGLE
    ]
    rows = await connection.fetch(
        BY_PERSON.format(key=part.value, given=source),
        since,
        until,
        [version for version, _ in wanted],
        [key for _, key in wanted],
    )
    values = 1 if part is Part.SINGLE else 2
    keys = [[*row[: -2 - values], *map(json.loads, row[-2 - values : -2]), row[-2]] for row in map(tuple, rows)]
    sizes = np.array([len(row[-1]) // JUDGED.itemsize for row in rows], ">i4")
    return Packed(keys, sizes.tobytes() + b"".join(row[-1] for row in rows))


def _plain(value: Any) -> Any:
    """Several options that were chosen at once come as a list, which cannot be part of a key."""
    return tuple(value) if isinstance(value, list) else value
