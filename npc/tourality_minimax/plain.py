"""The search as it is meant, in plain Python: what the kernel is held to.

It goes `depth` steps ahead, those of the seat that searches and the other's by turns. What a line of steps brings is
the sum of what its steps gain and of what the position at its end seems worth. The searching seat takes the step with
the largest such sum, the other the one with the smallest; among equals the one that seemed best at first sight, and
then the first in the order up, down, left, right.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from games.protocol import Seat
from games.tourality import TouralityPosition
from games.tourality.position import PASS
from games.tourality.world import neighbours
from npc.tourality_minimax.parameters import Parameters

MOST: Final = 1 << 30
Line = tuple[int, ...]
"""Directions, -1 for a pass: the searching seat's, the other's, and so on."""


class Found(NamedTuple):
    """What a search found: the line that both would choose, what it is worth, and how many positions it looked at."""

    line: Line
    value: int
    nodes: int


class State(NamedTuple):
    """Where the searching seat and the other stand, and which leaves are left."""

    places: tuple[int, int]
    leaves: frozenset[int]


class Child(NamedTuple):
    """A step, what it gains, and where it leads to."""

    direction: int
    gain: int
    state: State
    seems: int
    """What it gains and what the position seems worth at first sight."""


@dataclass
class PlainSearch:
    """One search from one position."""

    position: TouralityPosition
    seat: Seat
    wanted: Parameters

    def __post_init__(self) -> None:
        position = self.position
        self.columns = position.rules.size.columns
        self.around = [
            [None if cell is None or cell in position.obstacles else cell for cell in cells]
            for cells in neighbours(position.rules.size)
        ]
        self.ways = {leaf: self._distances(leaf) for leaf in sorted(position.leaves)}
        mine, other = position.places[self.seat], position.places[1 - self.seat]
        within = frozenset(leaf for leaf in position.leaves if mine in self.ways[leaf] or other in self.ways[leaf])
        self.root = State((mine, other), within)
        self.known: dict[int, list[tuple[int, int]]] = {}
        self.nodes = 0

    def _distances(self, start: int) -> dict[int, int]:
        """Steps from every field that can reach it, if only obstacles are in the way."""
        found = {start: 0}
        waiting = deque([start])
        while waiting:
            cell = waiting.popleft()
            for next_ in self.around[cell]:
                if next_ is not None and next_ not in found:
                    found[next_] = found[cell] + 1
                    waiting.append(next_)
        return found

    def find(self, steps: int) -> Found:
        """The first steps of the line that both would choose, as many as are asked for while the sweep lasts."""
        line: list[int] = []
        state, ply, worth = self.root, 0, 0
        while ply < min(steps, self.wanted.depth) and state.leaves:
            value, chosen = self._best(state, ply, -MOST, MOST)
            assert chosen is not None, "there is always a step or a pass"
            worth = worth if line else value
            line.append(chosen.direction)
            state, ply = chosen.state, ply + 1
        return Found(tuple(line), worth, self.nodes)

    def value(self, state: State, ply: int, low: int, high: int) -> int:
        """What is still to come from here, exact between `low` and `high`."""
        self.nodes += 1
        if ply == self.wanted.depth or not state.leaves:
            return self.estimate(state)
        return self._best(state, ply, low, high)[0]

    def _best(self, state: State, ply: int, low: int, high: int) -> tuple[int, Child | None]:
        own = ply % 2 == 0
        best, chosen = -MOST if own else MOST, None
        children = sorted(self.children(state, ply), key=lambda child: -child.seems if own else child.seems)
        for child in children:
            value = child.gain + self.value(child.state, ply + 1, low - child.gain, high - child.gain)
            if value > best if own else value < best:
                best, chosen = value, child
            if own:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                break
        return best, chosen

    def children(self, state: State, ply: int) -> Iterator[Child]:
        mover = ply % 2
        here, other = state.places[mover], state.places[1 - mover]
        free = [(way, cell) for way, cell in enumerate(self.around[here]) if cell is not None and cell != other]
        for direction, target in free or [(PASS.direction, here)]:
            gathers = target in state.leaves and direction >= 0
            places = (target, other) if mover == 0 else (other, target)
            after = State(places, state.leaves - {target} if gathers else state.leaves)
            gain = self.gain(state, mover, target, ply // 2, gathers=gathers)
            yield Child(direction, gain, after, gain + self.estimate(after))

    def gain(self, state: State, mover: int, target: int, earlier: int, *, gathers: bool) -> int:
        """What a step adds to the sum of its line."""
        wanted = self.wanted
        path = -wanted.cost
        if gathers:
            path += max(0, wanted.reward - wanted.decay * earlier)
        if wanted.bonus and self.nearest(target, state.leaves) < self.nearest(state.places[mover], state.leaves):
            path += wanted.bonus
        if mover == 0:
            return wanted.path * path + wanted.own * gathers
        return wanted.other_path * path + wanted.other * gathers

    # -------------------------------------------------------------------------------------------- at first sight

    def estimate(self, state: State) -> int:
        """What a position seems worth to the searching seat."""
        wanted, (mine, other), leaves = self.wanted, state.places, state.leaves
        value = 0
        for weight, other_weight, feature in (
            (wanted.surroundings, wanted.other_surroundings, self.surroundings),
            (wanted.nearest, wanted.other_nearest, self.nearest),
        ):
            value += weight * feature(mine, leaves) if weight else 0
            value += other_weight * feature(other, leaves) if other_weight else 0
        if wanted.distance:
            (row, column), (others_row, others_column) = divmod(mine, self.columns), divmod(other, self.columns)
            value += wanted.distance * (abs(row - others_row) + abs(column - others_column))
        return value + wanted.territory * self.territory(mine, other, leaves) if wanted.territory else value

    def nearest(self, cell: int, leaves: frozenset[int]) -> int:
        """Steps to the nearest leaf within the range; beyond it one step more than the range, without leaves 0."""
        radius = self.wanted.range
        steps = next((way for way, leaf in self.leaves_of(cell) if leaf in leaves), -1)
        if radius < 0:
            return max(steps, 0)
        return steps if 0 <= steps <= radius else radius + 1 if leaves else 0

    def surroundings(self, cell: int, leaves: frozenset[int]) -> int:
        """Leaves around a field: one more than `near` for a leaf on it, one less for each step away."""
        near = self.wanted.near
        found = 0
        for way, leaf in self.leaves_of(cell):
            if way > near:
                break
            found += near + 1 - way if leaf in leaves else 0
        return found

    def leaves_of(self, cell: int) -> list[tuple[int, int]]:
        """The leaves that can be reached from a field, nearest first, with the steps to them."""
        if cell not in self.known:
            self.known[cell] = sorted((ways[cell], leaf) for leaf, ways in self.ways.items() if cell in ways)
        return self.known[cell]

    def territory(self, mine: int, other: int, leaves: frozenset[int]) -> int:
        """Leaves that one is nearer to, less those that the other is nearer to."""
        found, far = 0, len(self.around)
        for leaf in leaves:
            own, others = self.ways[leaf].get(mine, far), self.ways[leaf].get(other, far)
            found += (own < others) - (others < own)
        return found
