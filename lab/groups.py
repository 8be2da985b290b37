"""Groups of persons with similar patterns of detections.

Model: a person belongs to one of K groups, and each group detects strategy s with its own probability. Cells may be
missing or repeated. Each K from 1 upwards is fitted by expectation–maximisation, and the K with the smallest BIC is
taken: a further group must explain more than its additional parameters would by chance; few data give one group.

People who merely differ in how well they tell look like groups, too: of the able, the middling and the others. So the
groups have to explain more than the Rasch model does, which knows of one ability for each; else there is one group.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lab.arrays import Floats
from lab.judgements import Judgement
from lab.rasch.marginal import NotConvergedError, fit_marginal
from lab.rasch.responses import Responses, detections

MOST_GROUPS = 8
STARTS = 3
MAX_ROUNDS = 200
PSEUDO = 0.5
"""Half a detection and half a miss per group and strategy keep probabilities off 0 and 1."""


@dataclass(frozen=True)
class Groups:
    """`of_person` is the likeliest group; `detection[g, s]` how often group g detects strategy s; `bic` by K.

    `rasch_bic` is what one ability per person costs; None where that could not be fitted. Only groups that cost less
    are groups.
    """

    strategies: tuple[str, ...]
    of_person: dict[str, int]
    membership: Floats
    detection: Floats
    bic: dict[int, float]
    rasch_bic: float | None = None

    @property
    def number(self) -> int:
        return len(self.detection)

    def members(self, group: int) -> list[str]:
        return [person for person, own in self.of_person.items() if own == group]


def find_groups(judgements: Iterable[Judgement], seed: int = 0, most: int = MOST_GROUPS) -> Groups:
    """Group the persons of the log by their detections of strategies (judgements of humans do not enter)."""
    return group_responses(detections(one for one in judgements if not one.of_human), seed, most)


def group_responses(responses: Responses, seed: int = 0, most: int = MOST_GROUPS) -> Groups:
    """Groups of persons by their response patterns; equal input and seed give equal groups."""
    people, things = len(responses.persons), len(responses.items)
    if people == 0:
        return Groups(responses.items, {}, np.zeros((0, 0)), np.zeros((0, things)), {})
    hits, misses = np.zeros((people, things)), np.zeros((people, things))
    hits[responses.person, responses.item] = responses.successes
    misses[responses.person, responses.item] = responses.trials - responses.successes
    rng = np.random.default_rng(seed)
    bic: dict[int, float] = {}
    best: _Mixture | None = None
    for number in range(1, min(most, people) + 1):
        fitted = max((_fit(hits, misses, number, rng) for _ in range(STARTS)), key=lambda one: one.log_likelihood)
        bic[number] = -2 * fitted.log_likelihood + (number * things + number - 1) * np.log(people)
        if best is None or bic[number] < bic[len(best.detection)]:
            best = fitted
        elif number >= len(best.detection) + 2:
            break  # two further groups did not pay: more will not either
    assert best is not None
    by_ability = _rasch_bic(responses) if len(best.detection) > 1 else None
    if by_ability is not None and by_ability <= bic[len(best.detection)]:
        best = _fit(hits, misses, 1, rng)
    order = np.lexsort((np.arange(len(best.detection)), -best.membership.sum(axis=0)))
    membership, detection = best.membership[:, order], best.detection[order]
    likeliest = membership.argmax(axis=1).tolist()
    return Groups(
        responses.items, dict(zip(responses.persons, likeliest, strict=True)), membership, detection, bic, by_ability
    )


def _rasch_bic(responses: Responses) -> float | None:
    """BIC of the Rasch model: a difficulty per strategy and the spread of the abilities."""
    try:
        fitted = fit_marginal(responses)
    except NotConvergedError:
        return None
    return -2 * fitted.log_likelihood + (len(responses.items) + 1) * float(np.log(len(responses.persons)))


@dataclass(frozen=True)
class _Mixture:
    log_likelihood: float
    membership: Floats
    detection: Floats


def _fit(hits: Floats, misses: Floats, number: int, rng: np.random.Generator) -> _Mixture:
    membership = rng.dirichlet(np.full(number, 0.5), size=len(hits))
    before = -np.inf
    for _ in range(MAX_ROUNDS):
        share = (membership.sum(axis=0) + PSEUDO) / (len(hits) + number * PSEUDO)
        solved, missed = membership.T @ hits + PSEUDO, membership.T @ misses + PSEUDO
        detection = solved / (solved + missed)
        joint = hits @ np.log(detection).T + misses @ np.log1p(-detection).T + np.log(share)
        top = joint.max(axis=1, keepdims=True)
        weights = np.exp(joint - top)
        norm = weights.sum(axis=1, keepdims=True)
        membership = weights / norm
        log_likelihood = float(np.sum(top + np.log(norm)))
        if log_likelihood - before < 1e-6 * abs(log_likelihood):
            break
        before = log_likelihood
    return _Mixture(log_likelihood, membership, detection)
