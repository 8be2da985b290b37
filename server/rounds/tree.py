"""The family tree of a round as a drawing: one column per population, a line from every member to its parents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from server.rounds.models import RoundMember

ROW: Final = 26
GAP: Final = 70
LETTER: Final = 7.3
PADDING: Final = 16
HEAD: Final = 34


@dataclass(frozen=True)
class Node:
    key: str
    strategy: str
    origin: str
    believability: float | None
    x: float
    y: float
    width: float

    @property
    def height(self) -> int:
        return ROW - 6


@dataclass(frozen=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    origin: str
    parent: str
    child: str

    @property
    def path(self) -> str:
        """A curve that leaves and arrives level."""
        middle = (self.x1 + self.x2) / 2
        bend = f"{middle:.0f} {self.y1:.1f} {middle:.0f} {self.y2:.1f}"
        return f"M{self.x1:.0f} {self.y1:.1f}C{bend} {self.x2:.0f} {self.y2:.1f}"


@dataclass(frozen=True)
class Column:
    step: int
    x: float
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Tree:
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    width: float
    height: float


def parents_of(member: RoundMember) -> Iterable[str]:
    """Whom a member comes from in the population before: an elite is its own parent there."""
    return (member.strategy,) if member.origin == "elite" else dict.fromkeys(member.parents)


def family_tree(members: Sequence[RoundMember], known: dict[str, float]) -> Tree:
    """`known` are believabilities by strategy, as far as they are known."""
    columns: list[Column] = []
    lines: list[Line] = []
    before: dict[str, Node] = {}
    x = 0.0
    for step in sorted({member.step for member in members}):
        population = [member for member in members if member.step == step]
        width = PADDING + LETTER * max(len(member.strategy) for member in population)
        nodes = tuple(
            Node(
                f"{step}-{row}", member.strategy, member.origin, known.get(member.strategy), x, HEAD + ROW * row, width
            )
            for row, member in enumerate(population)
        )
        for member, node in zip(population, nodes, strict=True):
            lines += [
                Line(
                    parent.x + parent.width,
                    parent.y + parent.height / 2,
                    x,
                    node.y + node.height / 2,
                    node.origin,
                    parent.key,
                    node.key,
                )
                for name in parents_of(member)
                if (parent := before.get(name)) is not None
            ]
        columns.append(Column(step, x, nodes))
        before = {node.strategy: node for node in nodes}
        x += width + GAP
    tallest = max((len(column.nodes) for column in columns), default=0)
    return Tree(tuple(columns), tuple(lines), max(0.0, x - GAP), HEAD + ROW * tallest)
