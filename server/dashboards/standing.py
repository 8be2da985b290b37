"""The ratings of a game that count now, in the parts that pages show.

A snapshot never changes and may hold ten thousand persons, so the parts of the newest ones are kept in memory; those
of a form that is not read any more are computed anew within a minute, and until then show no persons.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncSession

from server.dashboards.schemas import HumanPoint, Rated, Share
from server.dashboards.shares import share
from server.ratings.service import basis
from server.storage.database import Database

Record = dict[str, Any]

NEWEST = """
SELECT id FROM rating_snapshots WHERE game = $1
ORDER BY (fingerprint = $2) DESC, log_position DESC, id DESC LIMIT 1
"""

PARTS = """
SELECT id, computed_at, log_position, judgements, software, left_out, record - 'persons' AS rest,
       shown -> 'learning' AS learning, shown -> 'human_point' AS human_point, shown -> 'checks' AS checks
FROM rating_snapshots WHERE id = $1
"""
# They are most of a snapshot, and only the persons' own pages need them.
PERSONS = "SELECT shown -> 'persons' AS columns FROM rating_snapshots WHERE id = $1"


@dataclass(frozen=True)
class RatedPersons:
    """All rated persons, by column: ten thousand of them are read at once and few are shown."""

    columns: Record

    def __len__(self) -> int:
        return len(self.columns["person"])

    def row(self, place: int) -> Record:
        return {name: values[place] for name, values in self.columns.items()}

    @cached_property
    def places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.columns["person"])}

    def of(self, pseudonym: str) -> Record | None:
        place = self.places.get(pseudonym)
        return None if place is None else self.row(place)

    def members(self, group: int) -> list[str]:
        own = zip(self.columns["person"], self.columns["group"], strict=True)
        return [person for person, its in own if its == group]


@dataclass(frozen=True)
class Standing:
    """One snapshot."""

    id: int
    computed_at: datetime
    log_position: int
    judgements: int
    software: str
    left_out: frozenset[str]
    record: Record
    """Without the persons."""
    learning: list[Record]
    humans: HumanPoint
    checks: Record | None
    """None in ratings of older versions."""

    @property
    def rated(self) -> Rated:
        return Rated(
            computed_at=self.computed_at,
            log_position=self.log_position,
            judgements=self.judgements,
            software=self.software,
        )

    @cached_property
    def strategies(self) -> dict[str, Record]:
        return {one["strategy"]: one for one in self.record["strategies"]}


MOST_KEPT: Final = 4
"""So many games' ratings are kept."""
_kept: dict[tuple[str, str], Standing] = {}
_persons: dict[tuple[str, int], RatedPersons] = {}
"""The last ones asked for; the key says of which database, since tests use many in one process."""


async def standing(session: AsyncSession, database: Database, game: str) -> Standing | None:
    """The newest snapshot of a game with the fingerprint of now; while there is none, the newest of any."""
    newest = await database.pool.fetchval(NEWEST, game, (await basis(session)).fingerprint)
    if newest is None:
        return None
    place = (str(database.engine.url), game)
    kept = _kept.get(place)
    if kept is None or kept.id != newest:
        row = await database.pool.fetchrow(PARTS, newest)
        if row is None:  # pruned in between: a newer one is there
            return kept
        kept = Standing(
            id=row["id"],
            computed_at=row["computed_at"],
            log_position=row["log_position"],
            judgements=row["judgements"],
            software=row["software"],
            left_out=frozenset(json.loads(row["left_out"])),
            record=json.loads(row["rest"]),
            learning=json.loads(row["learning"] or "[]"),
            humans=_human_point(json.loads(row["human_point"] or "null")),
            checks=json.loads(row["checks"] or "null"),
        )
        _make_room(_kept, place)
        _kept[place] = kept
    return kept


async def persons_of(database: Database, ratings: Standing | None) -> RatedPersons:
    """Everybody whom these ratings rate; nobody where there are none."""
    key = (str(database.engine.url), ratings.id if ratings else 0)
    if ratings is None or key not in _persons:
        row = await database.pool.fetchrow(PERSONS, key[1])
        columns = json.loads(row["columns"]) if row and row["columns"] else {"person": [], "group": []}
        _make_room(_persons, key)
        _persons[key] = RatedPersons(columns)
    return _persons[key]


def _make_room(kept: dict[tuple[str, Any], Any], key: tuple[str, Any]) -> None:
    """Forget what is of another database, and the oldest where there are too many."""
    for known in [one for one in kept if one[0] != key[0]]:
        del kept[known]
    kept.pop(key, None)
    while len(kept) >= MOST_KEPT:
        del kept[next(iter(kept))]


def _human_point(record: Record | None) -> HumanPoint:
    if record is None:
        return HumanPoint(detection=share(0, 0), fun=None, challenge=None)
    told = record["detection"]
    low, high = told["interval"]
    return HumanPoint(
        detection=Share(share=told["share"], low=low, high=high, of=told["judgements"]),
        fun=record["fun"],
        challenge=record["challenge"],
    )
