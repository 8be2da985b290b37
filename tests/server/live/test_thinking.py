"""The model of human thinking times: what it learns, and that it draws what it has learnt."""

from __future__ import annotations

import random
from math import exp, log
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.live.thinking import (
    Observation,
    Thinking,
    fit,
    kind_of,
    pass_ms,
    quantile,
    recorded_shape,
    thinking_ms,
    uniform,
)

PIECES = ("p0", "p1", "p2")


def people(rng: random.Random, count: int, between: float = 0.4, within: float = 0.5) -> list[Observation]:
    made = []
    for person in range(count):
        own = rng.gauss(0, between)
        made += [Observation(str(person), "choice", exp(8 + own + rng.gauss(0, within))) for _ in range(25)]
    return made


def test_the_fit_recovers_what_made_the_times() -> None:
    model = fit(people(random.Random(1), 400))
    assert model.kinds["choice"].mean == pytest.approx(8, abs=0.06)
    assert model.kinds["choice"].spread == pytest.approx(0.5, abs=0.02)
    assert model.between == pytest.approx(0.4, abs=0.05)
    assert model.observations == 400 * 25


def test_drawn_times_are_distributed_like_the_recorded_ones() -> None:
    recorded = people(random.Random(2), 300)
    model = fit(recorded)
    drawn = [
        [log(thinking_ms(model, f"match {match}".encode(), 1, ply, PIECES)) for ply in range(25)]
        for match in range(300)
    ]
    flat = [value for one in drawn for value in one]
    logs = [log(observation.ms) for observation in recorded]
    assert fmean(flat) == pytest.approx(fmean(logs), abs=0.08)
    assert stdev(flat) == pytest.approx(stdev(logs), rel=0.08)
    assert stdev(map(fmean, drawn)) == pytest.approx(0.41, abs=0.06), "seats differ as persons do"


def test_too_few_times_teach_nothing() -> None:
    assert fit(people(random.Random(3), 2)) == Thinking()
    assert fit([]) == Thinking()


def test_one_decision_has_one_time_wherever_it_is_computed() -> None:
    model = Thinking()
    assert thinking_ms(model, b"seed", 1, 17, PIECES) == thinking_ms(model, b"seed", 1, 17, PIECES)
    assert thinking_ms(model, b"seed", 1, 17, PIECES) != thinking_ms(model, b"seed", 1, 19, PIECES)


@settings(deadline=None)
@given(st.binary(min_size=1, max_size=32), st.integers(0, 500), st.sampled_from([PIECES, ("p1",), ("again", "keep")]))
def test_times_are_positive_and_follow_the_pace(seed: bytes, ply: int, legal: tuple[str, ...]) -> None:
    slow, quick = Thinking(), Thinking(pace=0.1)
    assert thinking_ms(slow, seed, 0, ply, legal) > 0
    assert thinking_ms(quick, seed, 0, ply, legal) == pytest.approx(0.1 * thinking_ms(slow, seed, 0, ply, legal))
    assert 900 <= pass_ms(slow, seed, ply) <= 1900
    assert 0 < uniform(seed, str(ply)) < 1


def test_kinds_of_decisions() -> None:
    assert [kind_of(legal) for legal in (PIECES, ("p1",), ("again", "keep"))] == ["choice", "single", "roll"]


@settings(deadline=None)
@given(st.lists(st.floats(-5, 5), min_size=2, max_size=50), st.floats(0.001, 0.999))
def test_a_quantile_lies_within_what_was_recorded(values: list[float], at: float) -> None:
    rounded = 1e-4
    assert min(values) - rounded <= quantile(recorded_shape(values), at) <= max(values) + rounded


def test_quick_people_who_scatter_less_are_drawn_as_such() -> None:
    """Nobody answers faster than the hand moves, so the logarithms of quick people lie closer together."""
    rng = random.Random(4)
    recorded = []
    for person in range(400):
        own = rng.gauss(0, 0.4)
        recorded += [Observation(str(person), "choice", 600 + exp(7 + own + rng.gauss(0, 0.5))) for _ in range(25)]
    model = fit(recorded)
    drawn = sorted(
        ([log(thinking_ms(model, f"{match}".encode(), 1, ply, PIECES)) for ply in range(25)] for match in range(400)),
        key=fmean,
    )
    real = [sorted(log(one.ms) for one in recorded[25 * person : 25 * person + 25]) for person in range(400)]
    real.sort(key=fmean)
    for some in (slice(0, 100), slice(300, 400)):
        assert fmean(map(stdev, drawn[some])) == pytest.approx(fmean(map(stdev, real[some])), rel=0.08)
    assert fmean(map(stdev, drawn[:100])) < 0.85 * fmean(map(stdev, drawn[300:])), "one shape for all would not do"
