"""The pool Ω of elemental strategies and which lists of them can play.

A strategy is here nothing but its ordered list of element names; how such a list plays is the business of `npc`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Self

from games.protocol import Game
from npc import school_of

Elements = tuple[str, ...]
"""An ordered list of element names, e.g. ("Observing", "PALS")."""

Alike = Callable[[Elements], Elements]
"""The list that stands for all that play like a given one; `behaviour.Behaviour.alike` is one."""


def as_written(elements: Elements) -> Elements:
    """Every list stands for itself alone."""
    return elements


@dataclass(frozen=True)
class Pool:
    """Ω: basic strategies can play alone, symbionts need a basic strategy beside them."""

    basics: Elements
    symbionts: Elements

    def __post_init__(self) -> None:
        if not self.basics:
            raise ValueError("a pool needs at least one basic strategy, got none")
        if len(set(self.elements)) != len(self.elements):
            raise ValueError(f"the elements of a pool must differ, got {self.elements}")

    @property
    def elements(self) -> Elements:
        return self.basics + self.symbionts

    @property
    def longest(self) -> int:
        """A strategy is a true subset of the pool, so it has at least one element less."""
        return max(1, len(self.elements) - 1)

    def basics_of(self, elements: Iterable[str]) -> Elements:
        return tuple(element for element in elements if element in self.basics)

    def is_playable(self, elements: Elements) -> bool:
        """Distinct elements of the pool, at least one of them basic, and not the whole pool."""
        return (
            0 < len(elements) <= self.longest
            and len(set(elements)) == len(elements)
            and all(element in self.elements for element in elements)
            and bool(self.basics_of(elements))
        )

    def checked(self, elements: Elements) -> Elements:
        if not self.is_playable(elements):
            raise ValueError(
                f"expected 1 to {self.longest} different elements of {', '.join(self.elements)}, at least one of them "
                f"basic ({', '.join(self.basics)}); got {text(elements) or 'nothing'}"
            )
        return elements

    def named(self, written: str) -> Elements:
        """Reads element names in any case, separated by spaces or commas. Raises ValueError for an unknown one."""
        known = {element.casefold(): element for element in self.elements}
        words = parse(written)
        if unknown := [word for word in words if word.casefold() not in known]:
            raise ValueError(f"{unknown[0]!r} is no element; the elements are {', '.join(self.elements)}")
        return tuple(known[word.casefold()] for word in words)

    def count(self) -> int:
        """How many playable lists there are."""
        total, b, s = 0, len(self.basics), len(self.symbionts)
        for length in range(1, self.longest + 1):
            total += _falling(b + s, length) - _falling(s, length)
        return total

    def lists(self, length: int) -> Iterable[Elements]:
        """All playable lists of one length."""
        return (elements for elements in permutations(self.elements, length) if self.is_playable(elements))

    @classmethod
    def of(cls, basics: str, symbionts: str = "") -> Self:
        return cls(tuple(basics.split()), tuple(symbionts.split()))


def _falling(n: int, k: int) -> int:
    product = 1
    for i in range(k):
        product *= n - i
    return max(product, 0)


def text(elements: Elements) -> str:
    return " ".join(elements)


def parse(written: str) -> Elements:
    """Reads "Observing PALS" or "Observing,PALS"."""
    return tuple(written.replace(",", " ").split())


def pool_of(game: Game) -> Pool:
    """The elements that strategies of a game are made of."""
    elements = school_of(game).offered(game)
    return Pool(
        basics=tuple(name for name, element in elements.items() if element.is_basic),
        symbionts=tuple(name for name, element in elements.items() if not element.is_basic),
    )


def population_of(game: Game) -> tuple[Elements, ...]:
    """P(0): the strategies with which a game's refinement begins, unless somebody chooses others."""
    return tuple(map(parse, school_of(game).population(game)))
