"""The table of combinations: what each pair of symbiont and basic strategy is said to do, and what seeded games show.

Every combination plays against the same opponents with the same dice as its host alone; what is shown is the
difference.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import Enum
from typing import Final

from games.jostle import JOSTLE
from npc.composed.composition import KEY
from npc.composed.jostle.measuring.measures import MEASURES
from npc.simulation.play import GameRecord
from npc.simulation.report import Estimate, estimate
from npc.simulation.run import Setup, simulate

OPPONENTS: Final = ("ADVANCER", "RANDOMIZER")
"""One that reaches goals early, so that there is a last hour to panic in, and one that is everywhere."""


class Effect(Enum):
    """How a combination differs from its host."""

    MORE = "more"
    LESS = "less"
    NONE = "no difference at all"


@dataclass(frozen=True, slots=True)
class Claim:
    """A measure in which the combination is said to differ from its host, and how."""

    measure: str
    effect: Effect

    def holds(self, difference: Estimate) -> bool:
        """Whether the whole 95 % interval lies on the claimed side."""
        if self.effect is Effect.NONE:
            return difference == (0.0, 0.0, 0.0)
        return difference.low > 0 if self.effect is Effect.MORE else difference.high < 0


@dataclass(frozen=True, slots=True)
class Combination:
    """A symbiont with a host, what it is said to do, and the claims that this makes."""

    symbiont: str
    host: str
    said: str
    claims: tuple[Claim, ...]

    @property
    def name(self) -> str:
        return f"{self.symbiont} {self.host}"


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim, the host's and the combination's means, and the paired difference."""

    combination: Combination
    claim: Claim
    alone: Estimate
    combined: Estimate
    difference: Estimate

    @property
    def holds(self) -> bool:
        return self.claim.holds(self.difference)


def _claims(*pairs: tuple[str, Effect]) -> tuple[Claim, ...]:
    return tuple(Claim(measure, effect) for measure, effect in pairs)


_MORE, _LESS, _NONE = Effect.MORE, Effect.LESS, Effect.NONE

COMBINATIONS: Final = (
    Combination(
        "Observing",
        "RANDOMIZER",
        "not meaningful: the board outweighs the lots wherever it matters, and chance has the rest",
        _claims(("gained", _MORE)),
    ),
    Combination("Aggressive", "RANDOMIZER", "jostles at random", _claims(("displaced", _MORE), ("taken", _MORE))),
    Combination("Lingering", "RANDOMIZER", "becomes straight after the switch", _claims(("panic ahead", _MORE))),
    Combination("Observing", "ADVANCER", "advances better", _claims(("gained", _MORE))),
    Combination(
        "Aggressive",
        "ADVANCER",
        "advances slower, but hinders others",
        _claims(("first goal", _MORE), ("displaced", _MORE), ("taken", _MORE)),
    ),
    Combination(
        "Lingering",
        "ADVANCER",
        "not meaningful: it panics into what it does anyway",
        _claims(("gained", _NONE), ("distance", _NONE), ("wins", _NONE)),
    ),
    Combination(
        "Observing",
        "PALS",
        "keeps together more closely, but avoids special fields at any price, which costs it more than it gained",
        _claims(("closer", _MORE), ("special", _LESS), ("distance", _MORE)),
    ),
    Combination(
        "Aggressive",
        "PALS",
        "advances faster and hinders others, but breaks its cluster",
        _claims(("first goal", _LESS), ("displaced", _MORE), ("distance", _MORE)),
    ),
    Combination(
        "Lingering", "PALS", "breaks its cluster in the panic of the last hour", _claims(("panic distance", _MORE))
    ),
    Combination(
        "Observing",
        "EQUALIZER",
        "not meaningful: leaves its order for the sake of the board",
        _claims(("gained", _MORE), ("in order", _LESS)),
    ),
    Combination(
        "Aggressive",
        "EQUALIZER",
        "breaks its order, but hinders others",
        _claims(("in order", _LESS), ("displaced", _MORE)),
    ),
    Combination(
        "Lingering", "EQUALIZER", "breaks its order in the panic of the last hour", _claims(("panic in order", _LESS))
    ),
    *(
        Combination("Revenging", host, "hits back", _claims(("displaced", _MORE), ("taken", _MORE)))
        for host in ("RANDOMIZER", "ADVANCER", "PALS", "EQUALIZER")
    ),
)

Values = dict[str, list[float | None]]


def findings(
    games: int,
    seed: str,
    combinations: tuple[Combination, ...] = COMBINATIONS,
    workers: int | None = None,
    executor: Executor | None = None,
) -> Iterator[Finding]:
    """Plays every combination and its host, and tests every claim."""
    play = _player(games, seed, workers, executor)
    hosts: dict[str, Values] = {}
    for combination in combinations:
        if combination.host not in hosts:
            hosts[combination.host] = play(combination.host)
        alone, combined = hosts[combination.host], play(combination.name)
        for claim in combination.claims:
            pairs = [
                (before, after)
                for before, after in zip(alone[claim.measure], combined[claim.measure], strict=True)
                if before is not None and after is not None
            ]
            yield Finding(
                combination,
                claim,
                estimate([before for before, _ in pairs]),
                estimate([after for _, after in pairs]),
                estimate([after - before for before, after in pairs]),
            )


def _player(games: int, seed: str, workers: int | None, executor: Executor | None) -> Callable[[str], Values]:
    def play(name: str) -> Values:
        texts = tuple(f"{KEY}:{each}" for each in (name, *OPPONENTS))
        setup = Setup(JOSTLE.reference, texts, games, seed, rotate=True)
        return _values(simulate(setup, workers=workers, executor=executor))

    return play


def _values(games: Iterator[GameRecord]) -> Values:
    """What each game says about the first player, by measure."""
    values: Values = {name: [] for name in MEASURES}
    for game in games:
        for name, measure in MEASURES.items():
            values[name].append(measure.value(game.seats[0]))
    return values
