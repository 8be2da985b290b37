"""Weighted likelihood estimates (Warm 1989) of abilities for known difficulties: nearly unbiased and always finite."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from lab.arrays import Floats, sums
from lab.rasch.responses import Responses

WIDEST = 25.0
HALVINGS = 45


def warm_abilities(responses: Responses, difficulty: Floats) -> tuple[Floats, Floats]:
    """Ability and standard error of every person, NaN for persons without responses.

    Warm's equation, score − expected score + skewness / (2 · information) = 0, is solved by halving an interval: near
    perfect scores its slope is far from the information, so Newton's method would oscillate.
    """
    people = len(responses.persons)
    met = responses.person_trials > 0
    centre = sums(responses.person, responses.trials * difficulty[responses.item], people)
    centre = centre / np.maximum(responses.person_trials, 1.0)
    low, high = centre - WIDEST, centre + WIDEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rising = _slope(responses, middle, difficulty)[0] > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    ability = (low + high) / 2
    _, information = _slope(responses, ability, difficulty)
    return np.where(met, ability, np.nan), np.where(met, information**-0.5, np.nan)


def _slope(responses: Responses, ability: Floats, difficulty: Floats) -> tuple[Floats, Floats]:
    people = len(ability)
    success = expit(ability[responses.person] - difficulty[responses.item])
    spread = responses.trials * success * (1 - success)
    information = np.maximum(sums(responses.person, spread, people), 1e-300)
    skew = sums(responses.person, spread * (1 - 2 * success), people)
    surplus = sums(responses.person, responses.successes - responses.trials * success, people)
    return surplus + skew / (2 * information), information
