"""Judges who go by the match that they saw, who compare, who leave, and who meet again what they misjudged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lab.probands.judging import HUMAN_SEAT, SAYS_ARTIFICIAL, always, hold_session, shown_again
from lab.probands.persons import PersonSettings, draw_persons
from lab.probands.watching import WatchedFactor, seen_in
from lab.refinement.pool import Elements
from lab.refinement.settings import RECOMMENDED
from lab.simulation.study import SimulationSettings, Study
from tests.lab.start import GAME

CARRIER: Elements = ("Observing", "Lingering", "PALS")
FACTOR = WatchedFactor(CARRIER, GAME, matches=3)
SMALL = SimulationSettings(FACTOR, GAME, persons=40, judgements=10)


def test_who_plays_like_humans_is_seen_to_do_so_and_humans_vary() -> None:
    programs, humans = seen_in(GAME, CARRIER, CARRIER, 3)
    assert programs == (0, 0, 0)
    assert len(set(humans)) > 1
    assert 0 < np.mean(humans) < 0.3


def test_a_strategy_looks_as_artificial_as_the_match_was_that_somebody_saw() -> None:
    sights = FACTOR.sights([CARRIER, ("RANDOMIZER",)])
    assert sights.programs.shape == (2, 3)
    assert sights.programs[1].min() > sights.programs[0].max()
    assert sights.humans.mean() == pytest.approx(0)


def share_artificial(comparing: float, look: float) -> tuple[float, float]:
    """Of the programs and of the humans, where half of the programs look so artificial and the others like humans."""
    people = draw_persons(400, PersonSettings(comparing=comparing, falsifiers=0), np.random.default_rng(1))
    session = hold_session(people, always(np.array([look])), 20, 0.5, 0, np.random.default_rng(2))
    said, human = session.verdict == SAYS_ARTIFICIAL, session.truth == HUMAN_SEAT
    return float(said[~human].mean()), float(said[human].mean())


def test_beside_a_clumsy_program_those_who_compare_find_humans_more_human() -> None:
    alone, beside = share_artificial(0.0, 2.0), share_artificial(0.5, 2.0)
    assert beside[0] > alone[0]
    assert beside[1] < alone[1]


def test_the_less_able_leave_rather() -> None:
    people = draw_persons(1000, PersonSettings(leaving=0.3), np.random.default_rng(3))
    stayed = people.stay(np.arange(1000), np.random.default_rng(4))
    able = people.sensitivity > np.median(people.sensitivity)
    assert able[stayed].sum() == pytest.approx(500 * 0.85, abs=40)
    assert (~able[stayed]).sum() == pytest.approx(500 * 0.55, abs=40)


def test_whoever_left_judges_no_more() -> None:
    study = Study(replace(SMALL, people=PersonSettings(leaving=0.5)), 1)
    study.hold()
    left = set(range(40)) - set(study.present.tolist())
    assert left
    assert not left & set(study._fast_session().person.tolist())


def test_what_is_new_comes_first_then_what_was_misjudged() -> None:
    met = np.array([[True, True, False, True]])
    misjudged = np.array([[False, True, False, False]])
    assert shown_again(met, misjudged, 2, np.random.default_rng(1)).tolist() == [[2, 1]]
    assert sorted(shown_again(met, misjudged, 4, np.random.default_rng(1))[0].tolist()) == [0, 1, 2, 3]


def test_misjudged_strategies_are_met_again() -> None:
    settings = replace(SMALL, again=True, judgements=60, refinement=replace(RECOMMENDED, judgements=10_000))
    study = Study(settings, 2)
    study.hold()
    session = study._fast_session()
    programs = session.truth != HUMAN_SEAT
    known = study.misjudged[
        session.person[programs], study.log.numbered(study.state.population)[session.truth[programs]]
    ]
    assert known.mean() > study.misjudged.mean()


def test_while_a_step_waits_only_what_lacks_judgements_is_met() -> None:
    refinement = replace(RECOMMENDED, merge_alike=False, judgements=13, expert_judgements=0)
    study = Study(replace(SMALL, adaptive=True, refinement=refinement), 3)
    study.hold()  # forty persons judge five of sixteen strategies: some have 13 judgements, some 12
    lacking = study._lacking()
    assert 0 < len(lacking) < len(study.state.population)
    met = set(study._fast_session().truth.tolist()) - {HUMAN_SEAT}
    assert met == set(lacking)
