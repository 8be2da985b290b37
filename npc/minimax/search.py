"""The search: all moves and all answers, one move deeper each time, until the budget of positions is spent.

Every other seat is taken for an opponent that harms the one who searches as much as it can, however many there are:
then there are two sides, and branches that neither would choose can be left out (alpha-beta). Seats that choose at once
are taken to know what the searching seat chooses. Chance is weighed by its outcomes; where they cannot be listed, by a
few numbers spread over all ways. Captures are tried before other moves, because they often leave most out.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from games.protocol import CHANCE, OVER, Position, Seat
from npc.minimax.estimate import standing

LEAST: Final = -1.0
MOST: Final = 101.0
DEEPEST: Final = 60
FEW: Final = 12
"""Numbers of chance that stand for all, where its outcomes are not listed."""


class Found(NamedTuple):
    """What each move is worth, how many moves deep that was looked, and over how many positions."""

    values: Mapping[Any, float]
    depth: int
    nodes: int


class _Spent(Exception):  # noqa: N818  # no error: the budget has done its work
    pass


def look_ahead(position: Position, seat: Seat, nodes: int) -> Found:
    """The values of the moves of a seat, as deep as so many positions allow; one move deep in any case."""
    position = position.quickened()
    looking = _Looking(seat, nodes)
    found = Found({}, 0, 0)
    for depth in range(1, DEEPEST):
        looking.depth, looking.guessed = depth, False
        values: dict[Any, float] = {}
        try:
            for move in position.moves(seat):
                # With open bounds: each gets its exact value, because it is shown to people.
                values[move] = looking.answer(position, {seat: move}, _others(position, seat), depth - 1, LEAST, MOST)
        except _Spent:
            break
        found = Found(values, depth, looking.used)
        if not looking.guessed:
            break
    return found


class _Looking:
    def __init__(self, seat: Seat, nodes: int) -> None:
        self.seat = seat
        self.nodes = nodes
        self.used = 0
        self.depth = 0
        self.guessed = False
        """Whether anything was estimated: if not, all is known, and deeper is the same."""

    def value(self, position: Position, depth: int, low: float, high: float) -> float:
        self.used += 1
        if self.used > self.nodes and self.depth > 1:
            raise _Spent
        if position.to_act == OVER:
            return standing(position, self.seat)
        if position.to_act == CHANCE:
            return self.expected(position, depth)
        if depth == 0:
            self.guessed = True
            return standing(position, self.seat)
        acting = position.acting
        first = self.seat if self.seat in acting else acting[0]
        return self.choose(position, {}, (first, *(seat for seat in acting if seat != first)), depth - 1, low, high)

    def expected(self, position: Position, depth: int) -> float:
        """The mean over what chance may do. Chance is no move: it costs no depth."""
        outcomes = position.outcomes()
        if not outcomes:
            self.guessed = True
            ways, few = position.ways, min(FEW, position.ways)
            outcomes = tuple([(position.drawn(ways * number // few), 1) for number in range(few)])
        total = weights = 0.0
        for move, weight in outcomes:
            total += weight * self.value(position.play(move), depth, LEAST, MOST)
            weights += weight
        return total / weights

    def choose(
        self,
        position: Position,
        chosen: dict[Seat, Any],
        waiting: tuple[Seat, ...],
        depth: int,
        low: float,
        high: float,
    ) -> float:
        """What the first of the waiting seats makes of it: the best for the searching seat, or the worst."""
        seat = waiting[0]
        own = seat == self.seat
        best = LEAST if own else MOST
        moves = sorted(position.moves(seat), key=lambda move: -(position.captured(move) or 0))
        for move in moves:
            value = self.answer(position, {**chosen, seat: move}, waiting[1:], depth, low, high)
            if own:
                best = max(best, value)
                low = max(low, best)
            else:
                best = min(best, value)
                high = min(high, best)
            if low >= high:
                break
        return best

    def answer(
        self,
        position: Position,
        chosen: dict[Seat, Any],
        waiting: tuple[Seat, ...],
        depth: int,
        low: float,
        high: float,
    ) -> float:
        """The value when some seats have chosen and others still wait."""
        if waiting:
            return self.choose(position, chosen, waiting, depth, low, high)
        for seat in sorted(chosen):
            position = position.play(chosen[seat])
        return self.value(position, depth, low, high)


def _others(position: Position, seat: Seat) -> tuple[Seat, ...]:
    return tuple(each for each in position.acting if each != seat)
