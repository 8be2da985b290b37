"""The Rasch report: items and persons on one scale with mean difficulty 0, with errors, fit, reliability and map."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from lab.arrays import Floats
from lab.rasch.abilities import warm_abilities
from lab.rasch.connected import parts
from lab.rasch.fit import at_estimates, mean_squares
from lab.rasch.marginal import fit_marginal
from lab.rasch.responses import Responses
from lab.rasch.robust import robust_covariance


@dataclass(frozen=True, slots=True)
class Item:
    """`difficulty` 0 is the mean item, higher means fewer ones; `perfect`: all answers alike, placed by a prior.

    `robust_se` holds as well where answers of one person to one item resemble each other more than the model says.
    `infit` and `outfit` are averaged over the posteriors, those `_at_estimate` are the conventional ones.
    """

    item: str
    difficulty: float
    se: float
    infit: float
    outfit: float
    trials: int
    ones: int
    perfect: bool
    robust_se: float
    infit_at_estimate: float
    outfit_at_estimate: float


@dataclass(frozen=True, slots=True)
class Person:
    """`ability` is expected a posteriori with its posterior standard deviation; `wle` is Warm's estimate."""

    person: str
    ability: float
    se: float
    infit: float
    outfit: float
    wle: float
    wle_se: float
    trials: int
    ones: int
    infit_at_estimate: float
    outfit_at_estimate: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """Share of variance that is not error: of the a posteriori abilities, of Warm's abilities, of the difficulties."""

    eap: float
    wle: float
    items: float


@dataclass(frozen=True, slots=True)
class RaschReport:
    items: tuple[Item, ...]
    persons: tuple[Person, ...]
    ability_mean: float
    ability_sd: float
    ability_sd_by_prior: bool
    """True where there were too few answers to tell the spread of abilities; then a weak prior does."""
    log_likelihood: float
    reliability: Reliability
    parts: tuple[tuple[str, ...], ...]
    """Items by connected part. Where there are several, difficulties of different parts are comparable only if their
    persons are equally able on average."""


def report(responses: Responses, off_scale: Collection[str] = ()) -> RaschReport:
    """Fit the marginal model and centre it on the mean item; items `off_scale` ("human") do not enter that mean."""
    model = fit_marginal(responses)
    counted = np.array([name not in off_scale for name in responses.items], dtype=np.float64)
    if not counted.any():
        counted[:] = 1.0
    share = counted / counted.sum()
    middle = float(share @ model.difficulty)
    size = len(responses.items)
    contrast = np.eye(size) - share[None, :]
    item_se = np.sqrt(np.maximum(np.diag(contrast @ model.covariance[:size, :size] @ contrast.T), 0.0))
    robust = contrast @ robust_covariance(model)[:size, :size] @ contrast.T
    wle, wle_se = warm_abilities(responses, model.difficulty)
    fit = mean_squares(responses, model.posteriors, model.difficulty)
    usual = at_estimates(responses, wle, model.difficulty)
    items = tuple(
        Item(*row)
        for row in zip(
            responses.items,
            (model.difficulty - middle).tolist(),
            item_se.tolist(),
            fit.items.infit.tolist(),
            fit.items.outfit.tolist(),
            responses.item_trials.astype(int).tolist(),
            responses.item_scores.astype(int).tolist(),
            (responses.perfect_items > 0).tolist(),
            np.sqrt(np.maximum(np.diag(robust), 0.0)).tolist(),
            usual.items.infit.tolist(),
            usual.items.outfit.tolist(),
            strict=True,
        )
    )
    persons = tuple(
        Person(*row)
        for row in zip(
            responses.persons,
            (model.ability - middle).tolist(),
            model.ability_se.tolist(),
            fit.persons.infit.tolist(),
            fit.persons.outfit.tolist(),
            (wle - middle).tolist(),
            wle_se.tolist(),
            responses.person_trials.astype(int).tolist(),
            responses.person_scores.astype(int).tolist(),
            usual.persons.infit.tolist(),
            usual.persons.outfit.tolist(),
            strict=True,
        )
    )
    return RaschReport(
        items=items,
        persons=persons,
        ability_mean=-middle,
        ability_sd=model.sigma,
        ability_sd_by_prior=model.sigma_by_prior,
        log_likelihood=model.log_likelihood,
        reliability=Reliability(
            eap=_posterior_reliability(model.ability, model.ability_se),
            wle=_separation_reliability(wle, wle_se),
            items=_separation_reliability(model.difficulty, item_se),
        ),
        parts=parts(responses),
    )


def _posterior_reliability(mean: Floats, sd: Floats) -> float:
    between, within = float(np.var(mean)), float(np.mean(sd**2))
    return between / (between + within) if between + within > 0 else 0.0


def _separation_reliability(estimate: Floats, se: Floats) -> float:
    if len(estimate) < 2:
        return 0.0
    observed = float(np.var(estimate, ddof=1))
    return max(0.0, (observed - float(np.mean(se**2))) / observed) if observed > 0 else 0.0
