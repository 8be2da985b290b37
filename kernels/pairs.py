"""Conjunctions with common parts: pairs of wires that stand in several of them become wires of their own.

Four in a row is two pairs, and each pair is part of another four. The most frequent pair is taken first, again and
again, until none occurs twice.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import Final

from kernels.network import Wire

LONGEST: Final = 12
"""Longer conjunctions are left as they are: their pairs are too many."""
MOST_PAIRS: Final = 600_000
"""With more pairs than that the search would take longer than it saves."""

Pair = tuple[Wire, Wire]


def shared_pairs(conjunctions: Sequence[set[Wire]], first_new: Wire) -> dict[Wire, Pair]:
    """Replaces pairs in the conjunctions by new wires, numbered from `first_new` on, and tells what these are."""
    places: dict[Pair, set[int]] = defaultdict(set)
    if sum([len(one) ** 2 // 2 for one in conjunctions if len(one) <= LONGEST]) > MOST_PAIRS:
        return {}
    for place, one in enumerate(conjunctions):
        if len(one) <= LONGEST:
            for pair in combinations(sorted(one), 2):
                places[pair].add(place)
    waiting = [(-len(found), pair) for pair, found in places.items() if len(found) > 1]
    heapify(waiting)
    made: dict[Wire, Pair] = {}
    while waiting:
        number, pair = heappop(waiting)
        found = sorted(places[pair])
        if len(found) < 2:
            continue
        if len(found) < -number:
            heappush(waiting, (-len(found), pair))
            continue
        new = first_new + 2 * len(made)
        made[new] = pair
        for place in found:
            for grown in _replaced(conjunctions[place], pair, new, place, places):
                if len(places[grown]) > 1:
                    heappush(waiting, (-len(places[grown]), grown))
    return made


def _replaced(
    conjunction: set[Wire], pair: Pair, new: Wire, place: int, places: dict[Pair, set[int]]
) -> Iterator[Pair]:
    """Puts the new wire into a conjunction and gives the pairs that occur there from now on."""
    for old in combinations(sorted(conjunction), 2):
        if old[0] in pair or old[1] in pair:
            places[old].discard(place)
    conjunction.difference_update(pair)
    for other in sorted(conjunction):
        places[other, new].add(place)
        yield other, new
    conjunction.add(new)
