"""Can a client tell persons from programs by anything but their moves? Features, a classifier, and its uncertainty.

A witness is one recorded seat as another seat's browser saw it: the frames about that seat's turns, with their times.
Everything that is not a move itself is turned into numbers; a logistic regression, cross-validated by match, tries to
tell persons from programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from server.live import wire
from tests.server.live.clients import Received, SeatClient

Floats = NDArray[np.float64]

FOLDS = 10
RIDGE = 3.0


@dataclass(frozen=True, slots=True)
class Witness:
    """What one browser saw of one other seat in one match."""

    match: int
    person: bool
    features: dict[str, float]


def turns_of(received: Sequence[Received]) -> list[tuple[int, str, float, Received]]:
    """The decisions that were seen: seat, kind of decision, time since the frame before, and the frame that told it."""
    seen = []
    before: Received | None = None
    for one in received:
        message = one.message
        if isinstance(message, wire.Moves) and before is not None:
            asked = before.message
            if isinstance(asked, wire.Moves) and asked.to_act >= 0:
                kind = "single" if len(asked.legal) == 1 else "roll" if asked.legal[0].isalpha() else "choice"
                seen.append((asked.to_act, "pass" if asked.legal == ["pass"] else kind, one.at - before.at, one))
        if isinstance(message, wire.Moves | wire.State):
            before = one
    return seen


def shape_of(message: wire.Message) -> str:
    """The fields and types of a message, without the values: what its skeleton would give away."""
    return " ".join(f"{name}:{type(value).__name__}" for name, value in message)


def witnesses(client: SeatClient, persons: set[int]) -> list[Witness]:
    """One per other seat. `persons` are the seats on which persons sit."""
    seen = turns_of(client.received)
    shape_by_frame = {id(one): shape_of(one.message) for _, _, _, one in seen}
    shapes = sorted(set(shape_by_frame.values()))
    other_frames = [one for one in client.received if not isinstance(one.message, wire.Moves | wire.State | wire.Ended)]
    made = []
    for seat in {seat for seat, _, _, _ in seen} - {client.seat}:
        mine = [(kind, seconds, one) for who, kind, seconds, one in seen if who == seat]
        features: dict[str, float] = {"turns": len(mine), "seat": seat, "other_frames": len(other_frames)}
        for kind in ("choice", "single", "roll", "pass"):
            times = np.log([max(seconds, 1e-4) for which, seconds, _ in mine if which == kind])
            features[f"{kind}_count"] = len(times)
            features |= {f"{kind}_{name}": value for name, value in moments(times).items()}
        times = np.log([max(seconds, 1e-4) for kind, seconds, _ in mine if kind != "pass"])
        features["rhythm"] = float(np.corrcoef(times[:-1], times[1:])[0, 1]) if len(times) > 3 else 0.0
        features["drift"] = float(np.corrcoef(times, np.arange(len(times)))[0, 1]) if len(times) > 3 else 0.0
        milliseconds = np.array([seconds for _, seconds, _ in mine]) * 1000
        features["grid_10ms"] = float(np.abs(np.exp(2j * np.pi * milliseconds / 10).mean()))
        sizes = np.array([len(one.text) - len(one.message.position) for _, _, one in mine])  # type: ignore[union-attr]  # only Moves are kept
        features |= {"size_mean": float(sizes.mean()), "size_spread": float(sizes.std())}
        clocks = np.array([one.message.clock_ms for _, _, one in mine], np.float64)  # type: ignore[union-attr]  # the same
        features |= {"clock_mean": float(clocks.mean()), "clock_spread": float(clocks.std())}
        for number, shape in enumerate(shapes):
            features[f"shape{number}"] = float(np.mean([shape_by_frame[id(one)] == shape for _, _, one in mine]))
        made.append(Witness(int(client.match), seat in persons, features))
    return made


def moments(values: Floats) -> dict[str, float]:
    if len(values) < 2:
        return {"mean": np.nan, "spread": np.nan, "low": np.nan, "high": np.nan}
    low, high = np.quantile(values, [0.1, 0.9])
    return {"mean": float(values.mean()), "spread": float(values.std()), "low": float(low), "high": float(high)}


def matrix(seen: Sequence[Witness]) -> Floats:
    """Standardised features; what a seat does not have is the average."""
    names = sorted({name for one in seen for name in one.features})
    table = np.array([[one.features.get(name, np.nan) for name in names] for one in seen], dtype=float)
    mean, spread = np.nanmean(table, axis=0), np.nanstd(table, axis=0)
    kept = (spread > 1e-9) & ~np.isnan(spread)
    return np.asarray(np.nan_to_num((table[:, kept] - mean[kept]) / spread[kept]), np.float64)


def fit(table: Floats, truth: NDArray[np.bool_]) -> Floats:
    """Logistic regression with a ridge; the two classes weigh the same."""
    design = np.column_stack([np.ones(len(table)), table])
    weight = np.where(truth, 0.5 / max(truth.mean(), 1e-9), 0.5 / max(1 - truth.mean(), 1e-9))
    sign = np.where(truth, 1.0, -1.0)

    def loss(theta: Floats) -> tuple[float, Floats]:
        margin = sign * (design @ theta)
        penalty = RIDGE * np.r_[0.0, theta[1:]]
        slope = -weight * sign / (1 + np.exp(np.clip(margin, -500, 500)))
        value = (weight * np.logaddexp(0, -margin)).sum() + 0.5 * penalty @ theta
        return float(value), design.T @ slope + penalty

    return np.asarray(minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B").x)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Balanced accuracy with a 95 % interval; the match is the unit, because its seats are not independent."""

    value: float
    low: float
    high: float

    @property
    def is_chance(self) -> bool:
        return self.low <= 0.5 <= self.high


def accuracy(seen: Sequence[Witness], seed: int = 1) -> Accuracy:
    """How well the classifier tells persons from programs in matches it has not seen."""
    rng = np.random.default_rng(seed)
    table, truth = matrix(seen), np.array([one.person for one in seen])
    matches = np.array([one.match for one in seen])
    names = rng.permutation(np.unique(matches))
    guessed = np.zeros(len(seen), dtype=bool)
    for fold in range(FOLDS):
        held_out = np.isin(matches, names[fold::FOLDS])
        theta = fit(table[~held_out], truth[~held_out])
        guessed[held_out] = theta[0] + table[held_out] @ theta[1:] > 0
    right = guessed == truth

    def balanced(chosen: NDArray[np.intp]) -> float:
        return float(np.mean([right[chosen][truth[chosen] == which].mean() for which in (True, False)]))

    rows = {name: np.flatnonzero(matches == name) for name in names}
    draws = [balanced(np.concatenate([rows[name] for name in rng.choice(names, len(names))])) for _ in range(200)]
    low, high = np.quantile(draws, [0.025, 0.975])
    return Accuracy(balanced(np.arange(len(seen))), float(low), float(high))
