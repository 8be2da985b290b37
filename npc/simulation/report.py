"""What a series of games shows: a mean with its 95 % interval for each seat and measure."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from npc.simulation.play import GameRecord, SeatRecord

Z: Final = 1.959963984540054
"""Two-sided 95 % of the normal distribution."""


class Estimate(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


class Measure(NamedTuple):
    """A number that every game gives for every seat, or None if that game says nothing about it."""

    name: str
    meaning: str
    value: Callable[[SeatRecord], float | None]
    share: bool = False


def _per(count: str, of: str) -> Callable[[SeatRecord], float | None]:
    def ratio(record: SeatRecord) -> float | None:
        whole = getattr(record, of)
        return getattr(record, count) / whole if whole else None

    return ratio


MEASURES: Final[dict[str, Measure]] = {
    measure.name: measure
    for measure in (
        Measure("wins", "share of games won, shared wins in parts", lambda record: record.win, share=True),
        Measure("score", "points on goals at the end", lambda record: record.score),
        Measure("turns", "own turns per game", lambda record: record.turns),
        Measure("displaced", "opponents' pieces displaced per game", lambda record: record.displaced),
        Measure("distance", "fields between first and last piece after own turns", _per("span", "turns")),
        Measure("special", "special fields used per game", lambda record: record.special),
        Measure("gained", "fields gained per move, being carried included", _per("gained", "moves")),
        Measure("taken", "fields that opponents lost per own move", _per("taken", "moves")),
        Measure("first goal", "own turns until the first piece stands on a goal", lambda record: record.first_goal),
        Measure("in order", "share of moves that keep the fixed cycle", _per("in_order", "moves")),
        Measure(
            "panic ahead",
            "share of moves with the first piece while an opponent is on a goal",
            _per("panic_ahead", "panic_turns"),
        ),
        Measure("panic in order", "the same for moves that keep the cycle", _per("panic_in_order", "panic_turns")),
        Measure("panic distance", "distance while an opponent is on a goal", _per("panic_span", "panic_turns")),
        Measure(
            "closer",
            "fields that its moves leave the pieces closer together than moving the last one, special fields apart",
            _per("closer", "plain_turns"),
        ),
        Measure("faults", "decisions lost by a rule base per game", lambda record: record.faults),
    )
}


@dataclass(frozen=True, slots=True)
class Report:
    """The estimates of a series: by seat, then by measure."""

    seats: tuple[str, ...]
    games: int
    rounds: Estimate
    estimates: tuple[dict[str, Estimate], ...]

    def as_json(self) -> dict[str, object]:
        """Plain values; the same for the same seed, whatever the number of cores."""
        return {
            "games": self.games,
            "rounds": self.rounds._asdict(),
            "seats": [
                {"strategy": name} | {measure: estimate._asdict() for measure, estimate in estimates.items()}
                for name, estimates in zip(self.seats, self.estimates, strict=True)
            ],
        }


def report(seats: Sequence[str], games: Iterable[GameRecord]) -> Report:
    """The estimates. Games come in their order, so that sums are the same to the last digit."""
    rounds: list[float] = []
    values: list[dict[str, list[float]]] = [{name: [] for name in MEASURES} for _ in seats]
    for game in games:
        rounds.append(game.rounds)
        for seat, record in enumerate(game.seats):
            for name, measure in MEASURES.items():
                value = measure.value(record)
                if value is not None:
                    values[seat][name].append(value)
    estimates = tuple(
        {name: estimate(numbers, share=MEASURES[name].share) for name, numbers in seat.items() if numbers}
        for seat in values
    )
    return Report(tuple(seats), len(rounds), estimate(rounds), estimates)


def estimate(numbers: Sequence[float], *, share: bool = False) -> Estimate:
    """The mean and its interval: Wilson's for shares, the normal one otherwise."""
    count = len(numbers)
    mean = math.fsum(numbers) / count
    if share:
        centre = (mean + Z * Z / (2 * count)) / (1 + Z * Z / count)
        half = Z / (1 + Z * Z / count) * math.sqrt(mean * (1 - mean) / count + Z * Z / (4 * count * count))
        return Estimate(mean, centre - half, centre + half)
    if count == 1:
        return Estimate(mean, mean, mean)
    variance = math.fsum((number - mean) ** 2 for number in numbers) / (count - 1)
    half = Z * math.sqrt(variance / count)
    return Estimate(mean, mean - half, mean + half)
