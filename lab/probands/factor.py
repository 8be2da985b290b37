"""A planted human factor: the hidden truth that a simulated study has to find.

It says how artificial a strategy looks. 0 is how humans look; every missing element of the factor, a wrong order and
every superfluous element make a strategy easier to tell from them.
"""

from dataclasses import dataclass
from itertools import combinations

from lab.refinement.pool import JOSTLE_POOL, Elements, Pool, text


@dataclass(frozen=True)
class HumanFactor:
    """Costs are in standard deviations of what a judge with sensitivity 1 perceives."""

    planted: Elements
    missing: float = 1.0
    """For each planted element that a strategy lacks."""
    misorder: float = 0.4
    """If all planted elements stand in reverse order; less for part of it. 0: the order does not matter."""
    superfluous: float = 0.3
    """For each element that is neither planted nor the one basic strategy that every list needs."""
    pool: Pool = JOSTLE_POOL

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

    def superfluous_in(self, elements: Elements) -> int:
        """Elements beyond the planted ones; one of them may be basic for free, if no planted one is there to host."""
        extra = [element for element in elements if element not in self.planted]
        hosted = bool(self.pool.basics_of(element for element in elements if element in self.planted))
        return len(extra) - (not hosted and bool(self.pool.basics_of(extra)))
