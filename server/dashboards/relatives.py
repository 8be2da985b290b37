"""Where strategies come from: generations, parents and children, from the populations of the rounds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.dashboards.schemas import Relative
from server.rounds import repository as rounds
from server.rounds.models import Round, RoundMember
from server.rounds.tree import Tree, family_tree, parents_of

MOST: Final = 60
MOST_TREES: Final = 3

# The first time that any round had it.
ORIGINS = """
SELECT DISTINCT ON (m.strategy) m.strategy, m.step, m.origin, m.parents
FROM round_members m JOIN rounds r ON r.id = m.round_id
WHERE r.game = $1 ORDER BY m.strategy, m.step, m.round_id
"""

MEMBERSHIPS = """
SELECT m.strategy, r.name, r.id, m.step, m.origin FROM round_members m JOIN rounds r ON r.id = m.round_id
WHERE r.game = $1 AND m.strategy = $2 ORDER BY r.id DESC, m.step LIMIT $3
"""

# Who brought it forth: the parents of its first appearance in each round, then theirs, up to the start population.
ANCESTORS = """
WITH RECURSIVE line AS (
    SELECT m.round_id, m.step, m.strategy, m.parents FROM round_members m JOIN rounds r ON r.id = m.round_id
    WHERE r.game = $1 AND m.strategy = $2
      AND m.step = (SELECT min(step) FROM round_members f WHERE f.round_id = m.round_id AND f.strategy = $2)
  UNION
    SELECT p.round_id, p.step, p.strategy, p.parents
    FROM line l JOIN round_members p ON p.round_id = l.round_id AND p.step < l.step AND l.parents ? p.strategy
    WHERE p.step = (SELECT min(step) FROM round_members f WHERE f.round_id = p.round_id AND f.strategy = p.strategy)
)
SELECT l.strategy, r.name, r.id, l.step, m.origin FROM line l JOIN rounds r ON r.id = l.round_id
JOIN round_members m ON m.round_id = l.round_id AND m.step = l.step AND m.strategy = l.strategy
WHERE l.strategy <> $2 ORDER BY l.step DESC, l.strategy LIMIT $3
"""

CHILDREN = """
SELECT m.strategy, r.name, r.id, min(m.step) AS step, min(m.origin) AS origin
FROM round_members m JOIN rounds r ON r.id = m.round_id
WHERE r.game = $1 AND m.parents ? $2 AND m.strategy <> $2
GROUP BY m.strategy, r.name, r.id ORDER BY 4, 1 LIMIT $3
"""


@dataclass(frozen=True, slots=True)
class Origin:
    generation: int = 0
    origin: str = ""
    parents: tuple[str, ...] = ()


def lineage(members: Sequence[RoundMember], strategy: str) -> list[RoundMember]:
    """Of all populations of a round: the strategy as long as it was there, whom it comes from, and its children."""
    by_step: dict[int, list[RoundMember]] = {}
    for member in members:
        by_step.setdefault(member.step, []).append(member)
    own = sorted(member.step for member in members if member.strategy == strategy)
    wanted: dict[int, set[str]] = {step: {strategy} for step in own}
    for step in range(own[0] if own else 0, 0, -1):
        parents = {
            parent
            for one in by_step.get(step, ())
            if one.strategy in wanted.get(step, ())
            for parent in parents_of(one)
        }
        wanted.setdefault(step - 1, set()).update(parents)
    for step in own:
        children = {one.strategy for one in by_step.get(step + 1, ()) if strategy in one.parents}
        wanted.setdefault(step + 1, set()).update(children)
    return [member for member in members if member.strategy in wanted.get(member.step, ())]


async def trees(session: AsyncSession, game: str, strategy: str) -> list[tuple[str, Tree]]:
    """Its family in each round of the game that it was in, the newest first, by the round's name."""
    query = (
        select(Round)
        .where(Round.game == game, Round.id.in_(select(RoundMember.round_id).where(RoundMember.strategy == strategy)))
        .order_by(Round.id.desc())
        .limit(MOST_TREES)
    )
    return [
        (one.name, family_tree(lineage(await rounds.members(session, one.id), strategy), {}))
        for one in await session.scalars(query)
    ]


async def origins(connection: asyncpg.Connection, game: str) -> dict[str, Origin]:
    """Every strategy that was ever in a round of the game."""
    return {
        row["strategy"]: Origin(row["step"], row["origin"], tuple(json.loads(row["parents"])))
        for row in await connection.fetch(ORIGINS, game)
    }


async def family(connection: asyncpg.Connection, game: str, strategy: str) -> dict[str, list[Relative]]:
    return {
        name: [
            Relative(strategy=row[0], round=row[1], round_id=row[2], step=row[3], origin=row[4])
            for row in await connection.fetch(query, game, strategy, MOST)
        ]
        for name, query in {"memberships": MEMBERSHIPS, "ancestors": ANCESTORS, "children": CHILDREN}.items()
    }
