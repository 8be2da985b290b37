"""What a chaos run does, drawn from a seed: who plays, how they choose, which faults strike and when.

The same seed gives the same faults at the same points of the run, the same dice and the same choices of everybody.
What the operating system makes of it (which frame is under way when a process dies) differs from run to run.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

SERVERS: Final = 2
TYPICAL_PLIES: Final = 230
"""Moves of an ordinary match of people who move at random, dice included."""
FIRST, LAST = 0.06, 0.80
"""Faults strike between these shares of all moves that are to be expected."""

Number = int | float | str


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: what it is, after which share of the expected moves it strikes, and how hard."""

    kind: str
    after: float
    details: dict[str, Number] = field(default_factory=dict)

    def __str__(self) -> str:
        told = ", ".join(
            f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}"
            for name, value in self.details.items()
        )
        return f"{self.kind} ({told})" if told else self.kind


@dataclass(frozen=True, slots=True)
class Scale:
    """How large a run is. Times are seconds of the real clock."""

    matches: int
    crowds: int
    rounds: int
    """How often every fault strikes."""
    pace: float
    """What all times of play are multiplied by."""
    clock: float
    ask: float
    grace: float
    think: float
    """A proband takes at most this long for a move."""
    away: float
    """A killed Postgres stays away for at most this long; above five seconds processes take each other for dead."""
    jobs: int
    """How many jobs one filling of the queue brings."""
    calm: float
    """A fault strikes after so long a calm even if the matches have not come as far as it wants."""
    patience: float
    """When this is over, whatever has not ended counts as stuck."""


FULL: Final = Scale(
    50, 3, 2, pace=0.25, clock=8, ask=4, grace=15, think=1.2, away=6.5, jobs=3000, calm=20, patience=900
)
QUICK: Final = Scale(6, 2, 1, pace=0.02, clock=3, ask=3, grace=8, think=0.2, away=2, jobs=300, calm=3, patience=240)


@dataclass(frozen=True, slots=True)
class Role:
    """One proband of the run. `table` is a match that is laid already; without one the lobby finds a match."""

    number: int
    crowd: int
    table: int | None
    finishes: bool
    """Whether the questionnaire is finished, or left open like a closed tab."""


@dataclass(frozen=True, slots=True)
class Plan:
    seed: int
    scale: Scale
    roles: tuple[Role, ...]
    faults: tuple[Fault, ...]

    @property
    def tables(self) -> dict[int, list[Role]]:
        """The matches that are laid before the run, with those who sit there."""
        found: dict[int, list[Role]] = {}
        for role in self.roles:
            if role.table is not None:
                found.setdefault(role.table, []).append(role)
        return found

    @property
    def expected_moves(self) -> int:
        return self.scale.matches * TYPICAL_PLIES

    def dice_seed(self, table: int) -> bytes:
        return random.Random(f"chaos {self.seed} dice {table}").randbytes(32)


DETAILS: Final[dict[str, Callable[[random.Random, Scale], dict[str, Number]]]] = {
    "kill a server": lambda rng, _: {"server": rng.randrange(SERVERS), "away": rng.uniform(0.2, 3)},
    "restart Postgres": lambda rng, _: {"away": rng.uniform(0.0, 1.5)},
    "kill Postgres": lambda rng, scale: {"away": rng.uniform(0.0, scale.away)},
    "kill the worker": lambda rng, _: {"away": rng.uniform(0.2, 2)},
    "kill a computation": lambda *_: {},
    "freeze a crowd": lambda rng, scale: {
        "crowd": rng.randrange(scale.crowds),
        "for": rng.uniform(0.5, 1.3) * (scale.clock + scale.ask),
    },
    "stop reading": lambda rng, scale: {
        "crowd": rng.randrange(scale.crowds),
        "count": max(1, scale.matches // 8),
        "for": rng.uniform(0.5, 1.5) * (scale.clock + scale.ask),
    },
    "cut within a frame": lambda rng, scale: {
        "crowd": rng.randrange(scale.crowds),
        "count": max(2, scale.matches // 5),
        "how": rng.choice(["reset", "half"]),
    },
    "fill the queue": lambda rng, scale: {"jobs": scale.jobs, "failing": rng.uniform(0.02, 0.1)},
    "put the clock forward": lambda rng, _: {"by": rng.choice([20.0, 300.0, 3600.0])},
    "put the clock back": lambda rng, _: {"by": rng.choice([20.0, 300.0, 3600.0])},
}


def draw_plan(seed: int, scale: Scale) -> Plan:
    """The plan of a seed; a pure function."""
    rng = random.Random(f"chaos {seed}")
    return Plan(seed, scale, tuple(_roles(rng, scale)), tuple(_faults(rng, scale)))


def _roles(rng: random.Random, scale: Scale) -> list[Role]:
    """Four fifths of the matches are laid with one or two persons; for the others people come through the lobby."""
    laid = scale.matches - scale.matches // 5
    places: list[int | None] = []
    for table in range(laid):
        places += [table] * rng.choice([1, 2])
    places += [None] * (2 * (scale.matches - laid))
    return [
        Role(number, rng.randrange(scale.crowds), table, finishes=rng.random() < 0.85)
        for number, table in enumerate(places)
    ]


def _faults(rng: random.Random, scale: Scale) -> list[Fault]:
    kinds: list[str] = []
    for _ in range(scale.rounds):
        kinds += rng.sample(sorted(DETAILS), len(DETAILS))
    step = (LAST - FIRST) / len(kinds)
    return [
        Fault(kind, FIRST + (place + rng.random()) * step, DETAILS[kind](rng, scale))
        for place, kind in enumerate(kinds)
    ]
