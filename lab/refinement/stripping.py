"""Phase three: take elements away, one by one, until believability falls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from lab.refinement.operators import Member
from lab.refinement.pool import Alike, Elements, Pool, as_written
from lab.refinement.settings import RefinementSettings


@dataclass(frozen=True)
class Survivor:
    """A member of P_final: the last of its line that was still believable."""

    elements: Elements
    believability: float
    because: str


def removable(elements: Elements, pool: Pool) -> Elements:
    """What a strategy can lose: never its last basic strategy."""
    basics = pool.basics_of(elements)
    return tuple(element for element in elements if element not in basics or len(basics) > 1)


def without(elements: Elements, element: str) -> Elements:
    return tuple(other for other in elements if other != element)


def shares(members: Sequence[Elements], slots: int, pool: Pool, rng: Random) -> dict[Elements, int]:
    """How many clones each member gets: one, and a further one for each free slot that is drawn for it.

    A member cannot have more clones than elements to lose; slots that nobody can use stay empty.
    """
    clones = {elements: 1 for elements in members if removable(elements, pool)}
    for _ in range(slots - len(members)):
        open_to = [elements for elements, count in clones.items() if count < len(removable(elements, pool))]
        if not open_to:
            break
        clones[rng.choice(open_to)] += 1
    return clones


def strip(
    members: Sequence[Member],
    slots: int,
    generation: int,
    pool: Pool,
    rng: Random,
    settings: RefinementSettings,
    alike: Alike = as_written,
) -> tuple[Member, ...]:
    """Every member loses one element, members with several clones a different one in each.

    Two members that become the same list are one from now on, with both as predecessors. What a list carries without
    playing by it goes at once and for nothing: nobody could tell.
    """
    sigma = {alike(member.elements): member.sigma for member in members}
    clones = shares(tuple(sigma), slots, pool, rng)
    stripped: dict[Elements, Member] = {}
    for elements, count in clones.items():
        candidates = removable(elements, pool)
        lost = candidates if settings.try_all else rng.sample(candidates, count)
        for element in lost:
            left = alike(without(elements, element))
            before = stripped[left].parents if left in stripped else ()
            stripped[left] = Member(left, sigma[elements], (*before, elements), generation, "stripped")
    return tuple(stripped.values())


def ordered(final: Mapping[Elements, Survivor]) -> tuple[Survivor, ...]:
    """P_final by number of elements, then by ρ; equal ones by their text, so that the order is determined."""
    return tuple(sorted(final.values(), key=lambda one: (len(one.elements), -one.believability, one.elements)))
