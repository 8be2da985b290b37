"""How often each answer after a match was given, and each two together: counted once per day that is over, and kept.

The numbers are those of server/questionnaires/results.py; going through millions of answers for every look at them
would take seconds.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations
from typing import Any, Final, Self

import asyncpg  # type: ignore[import-untyped]  # it comes without type information

from server.questionnaires.content import ChoiceItem, Questionnaire

MOST_CHOICES: Final = 12
"""Of questionnaires with more choices than this no pairs are counted: there would be too many."""

VERSIONS = (
    "SELECT id, content::text AS content FROM questionnaire_versions WHERE purpose = 'after_match' AND state <> 'draft'"
)
# The newest answer to each question counts.
GIVEN = """
SELECT DISTINCT ON (a.sheet_id, a.item, a.seat)
       q.version_id AS version, a.sheet_id AS sheet, a.item, a.seat, a.value::text AS value,
       m.strategy IS NOT NULL AS program
FROM questionnaire_sheets q JOIN answers a ON a.sheet_id = q.id
LEFT JOIN match_seats m ON m.match_id = q.match_id AND m.seat = a.seat
WHERE q.match_id IS NOT NULL AND q.opened_at >= $1 AND q.opened_at < $2
ORDER BY a.sheet_id, a.item, a.seat, a.id DESC
"""

Key = tuple[Any, ...]
Items = Mapping[int, Mapping[str, bool]]
"""Per version its items that can be counted; whether they are choices of one option."""


@dataclass
class Tally:
    """`counts` by version, item, whether a program was judged, and value; `pairs` by version, two items and values."""

    counts: Counter[Key] = field(default_factory=Counter)
    pairs: Counter[Key] = field(default_factory=Counter)

    def add(self, other: Self) -> None:
        self.counts.update(other.counts)
        self.pairs.update(other.pairs)

    def to_json(self) -> str:
        return json.dumps([[[*key, n] for key, n in part.items()] for part in (self.counts, self.pairs)])

    @classmethod
    def from_json(cls, written: str) -> Self:
        counts, pairs = ({tuple(row[:-1]): row[-1] for row in part} for part in json.loads(written))
        return cls(Counter(counts), Counter(pairs))


async def items_of(connection: asyncpg.Connection) -> Items:
    """The items of every version that can be counted."""
    found: dict[int, dict[str, bool]] = {}
    for row in await connection.fetch(VERSIONS):
        content = Questionnaire.model_validate_json(row["content"])
        countable = [item for item in content.items if item.type in ("choice", "scale", "country")]
        single = [item.key for item in countable if isinstance(item, ChoiceItem) and not item.several]
        crossed = single if len(single) <= MOST_CHOICES else []
        found[row["id"]] = {item.key: item.key in crossed for item in countable}
    return found


async def tally(connection: asyncpg.Connection, items: Items, since: datetime, until: datetime) -> Tally:
    """What was answered on the sheets that were opened in this time."""
    return count(items, await connection.fetch(GIVEN, since, until))


def count(items: Items, rows: Iterable[Mapping[str, Any]]) -> Tally:
    found = Tally()
    chosen: dict[tuple[int, int], dict[int | None, dict[str, Any]]] = {}
    for row in rows:
        version, item = row["version"], row["item"]
        value = None if row["value"] is None else json.loads(row["value"])
        if value is None or item not in items.get(version, {}):
            continue
        for one in value if isinstance(value, list) else [value]:
            plain = one if isinstance(one, str | int) else str(one)
            found.counts[version, item, row["program"], plain] += 1
        if items[version][item]:
            chosen.setdefault((version, row["sheet"]), {}).setdefault(row["seat"], {})[item] = value
    for (version, _), seats in chosen.items():
        whole = seats.get(None, {})
        for seat, own in seats.items():
            # An answer about the whole match holds for every seat of its sheet.
            for first, second in combinations(sorted(own if seat is None else whole | own), 2):
                if seat is None or first in own or second in own:
                    both = whole | own
                    found.pairs[version, first, second, both[first], both[second]] += 1
    return found
