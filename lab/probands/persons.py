"""Simulated persons: how well they tell programs from humans, how readily they say so, how they learn and tire."""

from dataclasses import dataclass

import numpy as np

from lab.arrays import Bools, Floats, Ints


@dataclass(frozen=True)
class PersonSettings:
    """What a simulated population of probands is like. The judging is signal detection with a band of doubt."""

    sensitivity: float = 1.0
    """Median distance, in standard deviations, at which a person perceives an artificialness of 1."""
    sensitivity_spread: float = 0.5
    """Standard deviation of the logarithm of the sensitivity between persons."""
    criterion: float = 0.75
    """Mean perceived artificialness above which a person says "artificial"."""
    criterion_spread: float = 0.3
    doubt: float = 0.3
    """Half the width of the band around the criterion in which a person cannot tell."""
    learning: float = 0.3
    """By how much, as a share, the sensitivity grows in the long run."""
    learning_time: float = 60.0
    """Judgements after which 63 % of the learning has happened."""
    fatigue: float = 0.2
    """Share of the sensitivity that is lost by the end of a session (the judgements of one generation)."""
    falsifiers: float = 0.05
    """Share of persons who answer by a coin, whatever they saw."""
    human_spread: float = 0.3
    """Standard deviation of how artificial human players look; their mean is 0."""
    comparing: float = 0.0
    """How much of the difference between the two others at a table is added to it: 0 is judging each by itself."""
    leaving: float = 0.0
    """Share of those still there who stay away after a session; of the less able half three times as many."""


@dataclass(frozen=True)
class Persons:
    """One entry per person in every array."""

    sensitivity: Floats
    criterion: Floats
    falsifier: Bools
    look: Floats
    """How artificial the person looks to others when playing."""
    settings: PersonSettings

    def __len__(self) -> int:
        return len(self.sensitivity)

    def stay(self, present: Ints, rng: np.random.Generator) -> Ints:
        """Who comes again; the last two stay, because they judge each other."""
        able = self.sensitivity[present] > np.median(self.sensitivity)
        staying = present[rng.random(len(present)) >= self.settings.leaving * np.where(able, 0.5, 1.5)]
        return staying if len(staying) > 1 else present[:2]

    def sensitivity_at(self, person: Ints, career: Floats, session: Floats) -> Floats:
        """Sensitivity of persons after `career` judgements in all, at a share `session` (0…1) of the session."""
        learnt: Floats = 1 + self.settings.learning * (1 - np.exp(-career / self.settings.learning_time))
        return self.sensitivity[person] * learnt * (1 - self.settings.fatigue * session)


def draw_persons(count: int, settings: PersonSettings, rng: np.random.Generator) -> Persons:
    if count < 2:
        raise ValueError(f"a study needs at least two persons (they judge each other), got {count}")
    return Persons(
        sensitivity=settings.sensitivity * np.exp(settings.sensitivity_spread * rng.standard_normal(count)),
        criterion=settings.criterion + settings.criterion_spread * rng.standard_normal(count),
        falsifier=rng.random(count) < settings.falsifiers,
        look=settings.human_spread * rng.standard_normal(count),
        settings=settings,
    )
