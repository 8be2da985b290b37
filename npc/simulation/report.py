"""What a series of games shows: a mean with its 95 % interval for each seat and measure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from npc.simulation.measures import Measure
from npc.simulation.play import GameRecord

Z: Final = 1.959963984540054
"""Two-sided 95 % of the normal distribution."""


class Estimate(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


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


def report(seats: Sequence[str], games: Iterable[GameRecord], measures: Mapping[str, Measure]) -> Report:
    """The estimates. Games come in their order, so that sums are the same to the last digit."""
    rounds: list[float] = []
    values: list[dict[str, list[float]]] = [{name: [] for name in measures} for _ in seats]
    for game in games:
        rounds.append(game.rounds)
        for seat, record in enumerate(game.seats):
            for name, measure in measures.items():
                value = measure.value(record)
                if value is not None:
                    values[seat][name].append(value)
    estimates = tuple(
        {name: estimate(numbers, share=measures[name].share) for name, numbers in seat.items() if numbers}
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
