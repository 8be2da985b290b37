"""Weighted likelihood estimates (Warm 1989) of abilities for known difficulties: nearly unbiased and always finite."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from lab.arrays import Floats, sums
from lab.rasch.responses import Responses


def warm_abilities(responses: Responses, difficulty: Floats) -> tuple[Floats, Floats]:
    """Ability and standard error of every person; persons without responses have ability NaN."""
    people = len(responses.persons)
    delta, scores = difficulty[responses.item], responses.person_scores
    met = responses.person_trials > 0
    ability = np.where(met, sums(responses.person, responses.trials * delta, people), 0.0)
    ability = ability / np.maximum(responses.person_trials, 1.0)
    information = np.ones(people)
    for _ in range(200):
        success = expit(ability[responses.person] - delta)
        spread = responses.trials * success * (1 - success)
        information = np.maximum(sums(responses.person, spread, people), 1e-12)
        skew = sums(responses.person, spread * (1 - 2 * success), people)
        slope = scores - sums(responses.person, responses.trials * success, people) + skew / (2 * information)
        step = np.clip(slope / information, -0.5, 0.5)
        ability = ability + np.where(met, step, 0.0)
        if np.max(np.abs(step[met]), initial=0.0) < 1e-8:
            break
    return np.where(met, ability, np.nan), np.where(met, 1 / np.sqrt(information), np.nan)
