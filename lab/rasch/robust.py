"""Standard errors of difficulties that hold although answers of one person depend on each other beyond the ability.

Somebody who has seen through a strategy once sees through it again; the model, which knows one ability per person,
takes the repeated answers for independent. The person remains the unit: the sandwich of the observed information and
the persons' own scores (Huber, White) needs no more than that persons are independent of each other.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from lab.arrays import Floats
from lab.rasch.marginal import Marginal

CHUNK = 50_000


def robust_covariance(model: Marginal) -> Floats:
    """Of the difficulties, then log σ; the number of persons corrected for as in any cluster-robust variance."""
    responses = model.responses
    people, things = len(responses.persons), len(responses.items)
    if people < 2:
        return model.covariance
    slope = np.empty(len(responses.person))
    for start in range(0, len(slope), CHUNK):
        part = slice(start, start + CHUNK)
        pattern = model.posteriors.of_person[responses.person[part]]
        success = expit(model.posteriors.values[pattern] - model.difficulty[responses.item[part], None])
        expected = np.einsum("cq,cq->c", model.posteriors.weights[pattern], success)
        slope[part] = responses.trials[part] * expected - responses.successes[part]
    answered = np.flatnonzero(model.posteriors.of_person >= 0)
    pattern = model.posteriors.of_person[answered]
    scale = (model.posteriors.values[pattern] / model.sigma) ** 2 - 1
    spread = np.einsum("pq,pq->p", model.posteriors.weights[pattern], scale)
    scores = csr_array(
        (
            np.concatenate((slope, spread)),
            (
                np.concatenate((responses.person, answered)),
                np.concatenate((responses.item, np.full(len(answered), things))),
            ),
        ),
        shape=(people, things + 1),
    )
    filling = np.asarray((scores.T @ scores).toarray(), dtype=np.float64) * people / (people - 1)
    return np.asarray(model.covariance @ filling @ model.covariance, dtype=np.float64)
