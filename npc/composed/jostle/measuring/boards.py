"""Does Observing PALS keep its pieces closer together than PALS? On which boards, and by how much.

On a board without special fields both make the same moves. A switch tears PALS's pieces apart when one of them lands on
it, so keeping off pays, the more so the farther the switch carries. MINUS THREE tears them apart by three fields only,
less than moving another piece does. So it depends on the board, and this is measured: on the standard board with its
special fields taken away, and on boards whose special fields are drawn by lot, a new board for every game.
"""

import random
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, Protocol

from games.jostle import STANDARD, JostleGame, Layout
from games.jostle.layout import STEPS_BACK
from npc.composed import strategy
from npc.composed.jostle.measuring.measures import MEASURES
from npc.composed.jostle.measuring.table import OPPONENTS
from npc.simulation.report import Estimate, estimate
from npc.simulation.run import play_rotated, shared_out

HOST: Final = "PALS"
COMBINATION: Final = "Observing PALS"
MEASURE: Final = MEASURES["distance"]
FREE_BEFORE_GOALS: Final = 2
"""As on the standard board: from these fields a single roll reaches the last goal. Strategies do not roll again so far
ahead, so without them their games need not end.
"""


class Boards(Protocol):
    """The boards of a series of games."""

    @property
    def name(self) -> str: ...

    def layout(self, number: int) -> Layout:
        """The board that game `number` is played on."""
        ...


@dataclass(frozen=True, slots=True)
class Reduced:
    """The standard board with some of its special fields only; the same for all games."""

    name: str
    switches: tuple[tuple[int, int], ...] = ()
    minus_three: tuple[int, ...] = ()

    def layout(self, number: int) -> Layout:  # noqa: ARG002  # the same for all games
        return Layout("reduced", STANDARD.fields, STANDARD.goals, self.switches, self.minus_three)


@dataclass(frozen=True, slots=True)
class Drawn:
    """As many switch pairs and MINUS THREE fields, each somewhere else in every game; `reach` fixes how far a switch
    carries.
    """

    switches: int
    minus_three: int
    reach: int | None = None

    @property
    def name(self) -> str:
        return f"{self.switches} switches, {self.minus_three} MINUS THREE, reach {self.reach}"

    def layout(self, number: int) -> Layout:
        source = random.Random(f"{self.name}:{number}")
        free = list(range(1, STANDARD.first_goal - FREE_BEFORE_GOALS))
        pairs = tuple(self._draw_switch(source, free) for _ in range(self.switches))
        back = [_take(source, free, [field for field in free if field >= STEPS_BACK]) for _ in range(self.minus_three)]
        return Layout("drawn", STANDARD.fields, STANDARD.goals, pairs, tuple(back))

    def _draw_switch(self, source: random.Random, free: list[int]) -> tuple[int, int]:
        if self.reach is None:
            low, high = sorted((_take(source, free, free), _take(source, free, free)))
            return low, high
        low = _take(source, free, [field for field in free if field + self.reach in free])
        free.remove(low + self.reach)
        return low, low + self.reach


def _take(source: random.Random, free: list[int], choices: list[int]) -> int:
    field = choices[int(source.random() * len(choices))]
    free.remove(field)
    return field


_SHORT, _LONG = sorted(STANDARD.switches, key=lambda pair: pair[1] - pair[0])

REDUCED: Final = (
    Reduced("no special fields"),
    *(Reduced(f"MINUS THREE on {field}", (), (field,)) for field in STANDARD.minus_three),
    Reduced("all MINUS THREE fields", (), STANDARD.minus_three),
    *(Reduced(f"the switch {low}–{high}", ((low, high),)) for low, high in (_SHORT, _LONG)),
    Reduced("both switches", STANDARD.switches),
    Reduced("all: the standard board", STANDARD.switches, STANDARD.minus_three),
)
MOST_DRAWN: Final = 3
DRAWN: Final = tuple(Drawn(pairs, back) for pairs in range(MOST_DRAWN + 1) for back in range(MOST_DRAWN + 1))
REACHES: Final = tuple(Drawn(1, 0, reach) for reach in (2, 4, 8, 16))
BOARDS: Final[tuple[Boards, ...]] = (*REDUCED, *DRAWN, *REACHES)


class Comparison(NamedTuple):
    """The mean distances on a series of boards, and the paired difference: below 0 the combination is closer."""

    boards: Boards
    games: int
    alone: Estimate
    combined: Estimate
    difference: Estimate

    @property
    def verdict(self) -> str:
        """Who keeps closer together, if the whole 95 % interval says so."""
        if self.difference.high < 0:
            return "closer"
        if self.difference.low > 0:
            return "farther apart"
        return "the same" if self.difference == (0.0, 0.0, 0.0) else "undecided"


def compare(
    boards: Boards, games: int, seed: str, workers: int | None = None, executor: Executor | None = None
) -> Comparison:
    """Plays the same games, on the same boards with the same dice, with the host and with the combination."""
    pairs = list(shared_out(partial(_pairs, boards, seed), games, workers, executor))
    return Comparison(
        boards,
        games,
        estimate([alone for alone, _ in pairs]),
        estimate([combined for _, combined in pairs]),
        estimate([combined - alone for alone, combined in pairs]),
    )


def comparisons(games: int, seed: str, workers: int | None = None) -> Iterator[Comparison]:
    """All boards that are looked at, in the order of BOARDS."""
    for boards in BOARDS:
        yield compare(boards, games, seed, workers)


def _pairs(boards: Boards, seed: str, numbers: range) -> list[tuple[float, float]]:
    return [(_distance(HOST, boards, seed, number), _distance(COMBINATION, boards, seed, number)) for number in numbers]


def _distance(name: str, boards: Boards, seed: str, number: int) -> float:
    game = JostleGame(boards.layout(number))
    players = [strategy(text, game) for text in (name, *OPPONENTS)]
    found = MEASURE.value(play_rotated(game, players, seed, number).seats[0])
    assert found is not None, "every seat has a turn"
    return found
