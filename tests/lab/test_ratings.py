"""All ratings at once: a pure function of the log."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from lab.judgements import HUMAN, Judgement
from lab.ratings import RatingSettings, plain_means, rate
from lab.records import ratings_record
from lab.smoothing import SmoothingSettings, smooth
from tests.lab.simulated import crowd, judgement


@pytest.fixture(scope="module")
def log() -> list[Judgement]:
    return crowd(4, experts=4, yes_sayers=4, plain=22, strategies=8, matches=30)


def close(one: Any, other: Any) -> bool:
    """Equal up to rounding in the last digits, whatever order the rows were summed in."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-7)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    return bool(one == other)


def test_recomputing_gives_the_same_record(log: list[Judgement]) -> None:
    assert ratings_record(rate(log)) == ratings_record(rate(log))


def test_the_order_of_the_rows_changes_nothing(log: list[Judgement]) -> None:
    shuffled = list(log)
    Random(1).shuffle(shuffled)
    assert ratings_record(rate(shuffled)) == ratings_record(rate(log))


def test_the_names_of_persons_change_nothing_but_names(log: list[Judgement]) -> None:
    renamed = rate([replace(one, person=f"x-{one.person}") for one in log])
    assert renamed.expertise.super_experts == {f"x-{name}" for name in rate(log).expertise.super_experts}


def test_super_experts_count_overall_in_the_ratings(log: list[Judgement]) -> None:
    ratings = rate(log)
    assert ratings.expertise.super_experts
    expected = smooth(log, experts=ratings.expertise.super_experts).strategies["s0"].detection
    assert ratings.smoothing.strategies["s0"].detection == expected
    assert expected != smooth(log).strategies["s0"].detection


def test_falsifiers_are_left_out(log: list[Judgement]) -> None:
    marked = ["yes0", "plain3"]
    ratings = rate(log, falsifiers=marked)
    assert not set(marked) & ratings.smoothing.persons.keys()
    rest = rate([one for one in log if one.person not in marked])
    assert ratings_record(ratings) == ratings_record(rest)


def test_settings_change_the_numbers_and_are_told(log: list[Judgement]) -> None:
    settings = RatingSettings(smoothing=SmoothingSettings(alpha=0.5))
    changed = ratings_record(rate(log, settings))
    assert changed["settings"]["smoothing"]["alpha"] == 0.5
    assert changed["strategies"] != ratings_record(rate(log))["strategies"]


def test_the_record_is_plain_json_and_holds_everybody(log: list[Judgement]) -> None:
    record = json.loads(json.dumps(ratings_record(rate(log)), allow_nan=False))
    assert close(record, ratings_record(rate(log)))
    assert {one["person"] for one in record["persons"]} == {one.person for one in log}
    assert {one["strategy"] for one in record["strategies"]} == {one.seat_truth for one in log} - {HUMAN}
    assert record["experts"] == sorted(one["person"] for one in record["persons"] if one["super_expert"])


@pytest.mark.parametrize("truth", ["S", HUMAN])
def test_a_single_judgement_can_be_rated(truth: str) -> None:
    record = ratings_record(rate([judgement(0, "ann", truth, True)]))
    json.dumps(record, allow_nan=False)
    assert record["experts"] == []
    assert record["persons"][0]["weight"] == (0.2 if truth == "S" else 0)


def test_an_empty_log_cannot_be_rated() -> None:
    with pytest.raises(ValueError, match="no judgements"):
        rate([])


def test_plain_means_cover_although_judges_answer_alike_and_often() -> None:
    """Judges with habits of their own; half of them have judged ten times as much."""
    covered = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        log: list[Judgement] = []
        for judge, habit in enumerate(rng.beta(2, 2, 30)):
            for _ in range(20 if judge % 2 else 2):
                log.append(judgement(len(log), f"j{judge}", "S", bool(rng.random() < habit)))
        interval = plain_means(log)["S"].detection.interval
        covered += 0.5 in interval
    assert covered / 200 > 0.91


def test_ratings_of_a_study_show_no_number_that_is_none() -> None:
    """One judge, one program, nobody else: JSON without NaN or Infinity."""
    record = ratings_record(rate([judgement(1, "ann", "S", True), judgement(2, "ann", HUMAN, False)]))
    assert "NaN" not in json.dumps(record)
    assert "Infinity" not in json.dumps(record)
