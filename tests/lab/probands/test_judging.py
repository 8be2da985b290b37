"""Simulated judges: fair plans, and answers that depend on ability, criterion, learning, fatigue and honesty as set."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.probands.judging import HUMAN_SEAT, SAYS_ARTIFICIAL, SAYS_HUMAN, always, answer, hold_session, perceive, plan
from lab.probands.persons import Persons, PersonSettings, draw_persons

PLAIN = PersonSettings(
    sensitivity_spread=0, criterion_spread=0, learning=0, fatigue=0, falsifiers=0, human_spread=0, doubt=0
)


@given(
    st.integers(2, 30), st.integers(1, 40), st.integers(2, 40), st.sampled_from([0.0, 1 / 3, 0.5]), st.integers(0, 99)
)
def test_everybody_judges_equally_often_and_every_strategy_is_judged_equally_often(
    persons: int, strategies: int, judgements: int, human_share: float, seed: int
) -> None:
    person, truth = plan(persons, strategies, judgements, human_share, np.random.default_rng(seed))
    assert np.all(np.bincount(person, minlength=persons) == judgements)
    humans = round(judgements * human_share)
    assert np.all(np.bincount(person[truth == HUMAN_SEAT], minlength=persons) == humans)
    counts = np.bincount(truth[truth != HUMAN_SEAT], minlength=strategies)
    assert counts.max() - counts.min() <= 1
    for one in range(persons):
        met = np.bincount(truth[(person == one) & (truth != HUMAN_SEAT)], minlength=strategies)
        assert met.max() - met.min() <= 1  # all strategies before one comes again


def share_artificial(settings: PersonSettings, look: float, career: float = 0, session: float = 0) -> float:
    persons = draw_persons(4000, settings, np.random.default_rng(1))
    everybody, many = np.arange(len(persons)), np.ones(len(persons))
    rng = np.random.default_rng(2)
    above = perceive(persons, everybody, look * many, career * many, session * many, rng)
    said = answer(persons, everybody, above, rng)
    return float(np.mean(said == SAYS_ARTIFICIAL))


def test_the_more_artificial_a_seat_looks_the_more_often_it_is_detected() -> None:
    shares = [share_artificial(PLAIN, look) for look in (0, 0.3, 0.6, 1, 2, 4)]
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(0.227, abs=0.02)  # Φ(−0.75)
    assert shares[3] == pytest.approx(0.599, abs=0.025)  # Φ(1 − 0.75)


@pytest.mark.parametrize(
    ("change", "direction"),
    [({"sensitivity": 2.0}, 1), ({"criterion": 1.5}, -1), ({"doubt": 0.5}, -1), ({"falsifiers": 1.0}, -1)],
)
def test_each_trait_moves_detection(change: dict[str, float], direction: int) -> None:
    moved = share_artificial(replace(PLAIN, **change), 1.0) - share_artificial(PLAIN, 1.0)
    assert moved * direction > 0.05


def test_judges_learn_over_their_career_and_tire_within_a_session() -> None:
    settings = replace(PLAIN, learning=0.5, fatigue=0.5)
    fresh = share_artificial(settings, 1.0)
    assert share_artificial(settings, 1.0, career=300) > fresh + 0.1
    assert share_artificial(settings, 1.0, session=1.0) < fresh - 0.1


def test_falsifiers_answer_by_a_coin() -> None:
    settings = replace(PLAIN, falsifiers=1.0)
    assert share_artificial(settings, 0) == pytest.approx(0.5, abs=0.03)
    assert share_artificial(settings, 4) == pytest.approx(0.5, abs=0.03)


def test_humans_are_judged_too_mostly_human_and_a_strategy_without_flaws_exactly_like_them() -> None:
    persons = draw_persons(2000, PersonSettings(), np.random.default_rng(3))
    session = hold_session(persons, always(np.array([0.0, 2.0])), 30, 0.5, 0, np.random.default_rng(4))
    human = session.verdict[session.truth == HUMAN_SEAT] == SAYS_HUMAN
    flawless = session.verdict[session.truth == 0] == SAYS_HUMAN
    clumsy = session.verdict[session.truth == 1] == SAYS_HUMAN
    assert 0.5 < human.mean() < 0.8
    assert flawless.mean() == pytest.approx(human.mean(), abs=0.02)
    assert clumsy.mean() < human.mean() - 0.3


def test_a_study_needs_two_persons() -> None:
    with pytest.raises(ValueError, match="at least two persons"):
        draw_persons(1, PLAIN, np.random.default_rng(1))
    assert isinstance(draw_persons(2, PLAIN, np.random.default_rng(1)), Persons)
