"""How many judgements a study needs for a program that is exactly like humans to be shown equivalent to them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, sqrt

from scipy.special import ndtr

from lab.intervals import normal_quantile


@dataclass(frozen=True, slots=True)
class Design:
    """`share` of humans judged human; `humans` judged per judgement of the program (infinite: their share is known).

    Of a judge's answers about programs and about humans the habit to say "human" cancels as far as both come from the
    same judge. What does not cancel is `own`: the correlation between two answers of one judge about the same program
    beyond that. It counts with the judgements of the program that each judge gives (`each`).
    """

    share: float = 0.5
    margin: float = 0.10
    level: float = 0.05
    humans: float = 1.0
    each: float = 1.0
    own: float = 0.0

    def variance(self, judgements: float) -> float:
        """Of the estimated difference after so many judgements of the program."""
        effect = 1 + (self.each - 1) * self.own
        return self.share * (1 - self.share) * (effect + (0 if self.humans == inf else 1 / self.humans)) / judgements


def equivalence_power(judgements: float, design: Design | None = None, gap: float = 0.0) -> float:
    """The chance that both one-sided tests succeed where the true difference of the shares is `gap`."""
    design = design or Design()
    error, reach = sqrt(design.variance(judgements)), normal_quantile(1 - 2 * design.level)
    above = (design.margin - gap) / error - reach
    below = (design.margin + gap) / error - reach
    return max(0.0, float(ndtr(above) + ndtr(below) - 1))


def needed_judgements(design: Design | None = None, power: float = 0.80, gap: float = 0.0) -> int:
    """Judgements of a program that equivalence takes to show with this power, where the true difference is `gap`.

    Raises ValueError where the difference is not within the margin.
    """
    design = design or Design()
    if abs(gap) >= design.margin:
        raise ValueError(f"a difference of {gap:+g} is not within ±{design.margin:g}: no number of judgements shows it")
    z = normal_quantile(1 - 2 * design.level) + normal_quantile(power)
    enough = ceil(design.variance(1.0) * (z / (design.margin - abs(gap))) ** 2)
    if gap == 0:
        return enough
    too_few = 0
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        too_few, enough = (too_few, middle) if equivalence_power(middle, design, gap) >= power else (middle, enough)
    return enough
