"""A planted human factor: the hidden truth that a simulated study has to find.

It says how artificial a strategy looks. 0 is how humans look; every missing element of the factor, a wrong order and
every superfluous element make a strategy easier to tell from them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np

from lab.probands.judging import Sights, always
from lab.refinement.behaviour import Behaviour, behaviour_of
from lab.refinement.pool import Elements, Pool, pool_of, text


class Factor(Protocol):
    """What makes players look human in a simulated study, and whether an answer has found it.

    `is_played`: whether what plays alike looks alike, whatever it is called.
    """

    @property
    def planted(self) -> Elements: ...
    @property
    def pool(self) -> Pool: ...
    @property
    def size(self) -> int: ...
    @property
    def is_played(self) -> bool: ...
    def artificialness(self, elements: Elements) -> float: ...
    def sights(self, population: Sequence[Elements]) -> Sights: ...
    def is_found_in(self, elements: Elements | None) -> bool: ...
    def in_order(self, elements: Elements | None) -> bool: ...


@dataclass(frozen=True)
class PlayedFactor:
    """Humans play like one list; a strategy looks the more artificial the more of its decisions are others.

    `scale` is how artificial it would look if all were. Labels count for nothing: what plays like the carrier is like
    humans, whatever it is called, and an element that decides nothing is neither seen nor missed.
    """

    carrier: Elements
    game: str
    scale: float = 5.0

    @property
    def planted(self) -> Elements:
        return self.carrier

    @property
    def pool(self) -> Pool:
        return pool_of(self._behaviour.game)

    @property
    def is_played(self) -> bool:
        return True

    @property
    def size(self) -> int:
        return len(self._behaviour.alike(self.carrier))

    def artificialness(self, elements: Elements) -> float:
        return self.scale * self._behaviour.disagreement(elements, self.carrier)

    def sights(self, population: Sequence[Elements]) -> Sights:
        return always(np.array([self.artificialness(elements) for elements in population]))

    def is_found_in(self, elements: Elements | None) -> bool:
        """It plays like the carrier and has no element without which it would, too."""
        return (
            elements is not None
            and self._behaviour.play_alike(elements, self.carrier)
            and not self._behaviour.idle(elements)
        )

    def in_order(self, elements: Elements | None) -> bool:
        """Whatever order plays alike is in order."""
        return self.is_found_in(elements)

    @property
    def _behaviour(self) -> Behaviour:
        return behaviour_of(self.game)


@dataclass(frozen=True)
class HumanFactor:
    """Costs are in standard deviations of what a judge with sensitivity 1 perceives."""

    planted: Elements
    pool: Pool
    missing: float = 1.0
    """For each planted element that a strategy lacks."""
    misorder: float = 0.4
    """If all planted elements stand in reverse order; less for part of it. 0: the order does not matter."""
    superfluous: float = 0.3
    """For each element that is neither planted nor the one basic strategy that every list needs."""

    def __post_init__(self) -> None:
        unknown = [element for element in self.planted if element not in self.pool.elements]
        if not self.planted or unknown or len(set(self.planted)) != len(self.planted):
            raise ValueError(
                f"expected different elements of {', '.join(self.pool.elements)}, got {text(self.planted) or 'nothing'}"
            )
        if len(self.planted) + (not self.pool.basics_of(self.planted)) > self.pool.longest:
            raise ValueError(
                f"no strategy can carry {text(self.planted)}: at most {self.pool.longest} elements can play"
            )

    @property
    def is_played(self) -> bool:
        return False

    @property
    def size(self) -> int:
        """Elements of a minimal carrier: the planted ones, and one basic strategy if none of them is basic."""
        return len(self.planted) + (not self.pool.basics_of(self.planted))

    def is_found_in(self, elements: Elements | None) -> bool:
        """Exactly the planted set; if that has no basic strategy, plus exactly one. The order is not asked for."""
        if elements is None:
            return False
        return set(self.planted) <= set(elements) and len(elements) == self.size and self.pool.is_playable(elements)

    def in_order(self, elements: Elements | None) -> bool:
        """Found, and in the planted order too."""
        return self.is_found_in(elements) and self.inversions(elements or ()) == 0

    def inversions(self, elements: Elements) -> float:
        """Share of the pairs of planted elements that stand in the wrong order; lacking elements make no pair."""
        present = [element for element in elements if element in self.planted]
        pairs = list(combinations(present, 2))
        if not pairs:
            return 0.0
        return sum(self.planted.index(a) > self.planted.index(b) for a, b in pairs) / len(pairs)

    def artificialness(self, elements: Elements) -> float:
        lacking = sum(element not in elements for element in self.planted)
        return (
            self.missing * lacking
            + self.misorder * self.inversions(elements)
            + self.superfluous * self.superfluous_in(elements)
        )

    def sights(self, population: Sequence[Elements]) -> Sights:
        return always(np.array([self.artificialness(elements) for elements in population]))

    def superfluous_in(self, elements: Elements) -> int:
        """Elements beyond the planted ones; one of them may be basic for free, if no planted one is there to host."""
        extra = [element for element in elements if element not in self.planted]
        hosted = bool(self.pool.basics_of(element for element in elements if element in self.planted))
        return len(extra) - (not hosted and bool(self.pool.basics_of(extra)))
