"""Simulated studies repeat exactly, use the ratings of the platform, and find what was planted."""

from dataclasses import astuple, replace

import numpy as np
import pytest

from lab.experts import ExpertSettings, assess
from lab.judgements import HUMAN, Judgement, Verdict
from lab.probands.factor import HumanFactor
from lab.probands.judging import HUMAN_SEAT, SAYS_ARTIFICIAL, Session, always, hold_session
from lab.probands.persons import PersonSettings, draw_persons
from lab.ratings import RatingSettings, rate
from lab.refinement import Evidence, Phase
from lab.refinement.evidence import believable
from lab.refinement.pool import text
from lab.refinement.ratings import from_log
from lab.refinement.settings import RECOMMENDED, THESIS
from lab.simulation.judgement_log import LogSettings, super_experts
from lab.simulation.proof import (
    Hits,
    chance_of_random_strategy,
    found,
    random_strategies,
    random_strategy,
    with_random_selection,
)
from lab.simulation.smoothing import DetectionSmoothing
from lab.simulation.study import SimulationSettings, Study, run, simulate
from lab.smoothing import SmoothingSettings, smooth
from lab.turing import TuringSettings
from tests.lab.start import GAME, POOL

FACTOR = HumanFactor(("Observing", "Lingering"), POOL)
SMALL = SimulationSettings(FACTOR, GAME, persons=50, judgements=20)
VERDICTS = (Verdict.HUMAN, Verdict.ARTIFICIAL, Verdict.CANNOT_TELL)


def session_and_log(persons: int = 60, judgements: int = 60) -> tuple[Session, list[Judgement]]:
    people = draw_persons(persons, PersonSettings(sensitivity=1.4), np.random.default_rng(8))
    session = hold_session(people, always(np.linspace(0.4, 2.0, 12)), judgements, 0.5, 0, np.random.default_rng(9))
    log = [
        Judgement(float(time), f"m{time:06}", str(who), HUMAN if what == HUMAN_SEAT else f"s{what}", VERDICTS[said])
        for time, (who, what, said) in enumerate(
            zip(session.person.tolist(), session.truth.tolist(), session.verdict.tolist(), strict=True)
        )
    ]
    return session, log


@pytest.mark.parametrize("trust", [True, False])
@pytest.mark.parametrize("experts", [frozenset[int](), frozenset({1, 5, 7})])
def test_the_smoothing_on_arrays_is_that_of_the_platform(trust: bool, experts: frozenset[int]) -> None:
    session, log = session_and_log()
    settings = SmoothingSettings(alpha=0.15, trust_newcomers_to_strategy=trust)
    fast = DetectionSmoothing(settings)
    half = len(session) // 2
    for part in (slice(0, half), slice(half, None)):
        fast.add(session.person[part], session.truth[part], session.verdict[part], experts)
    slow = smooth(log, settings, map(str, experts))
    for strategy in range(12):
        assert fast.believability(strategy) == pytest.approx(slow.rating(f"s{strategy}").believability, abs=1e-12)


@pytest.mark.parametrize("rule", ["probability", "bounds"])
def test_super_experts_on_arrays_are_those_of_the_platform(rule: str) -> None:
    session, log = session_and_log()
    settings = ExpertSettings(rule=rule, stay=False)
    fast = {str(person) for person in np.flatnonzero(super_experts(session, 60, settings))}
    slow = assess(log, settings).super_experts
    assert len(slow) >= 5
    # The joint and the marginal estimate of abilities may differ at the border.
    assert len(fast ^ slow) <= (0.25 * len(slow) if rule == "bounds" else 0)


@pytest.mark.parametrize("meetings", ["first", "all"])
@pytest.mark.parametrize("stay", [True, False])
def test_the_evidence_of_a_simulated_study_is_that_of_the_platform(meetings: str, stay: bool) -> None:
    """Counts, folds, first meetings and the experts that remain, over sessions in which strategies come and go."""
    experts = ExpertSettings(stay=stay)
    people = PersonSettings(sensitivity=1.8, leaving=0.05)
    study = Study(replace(SMALL, people=people, again=True, log=LogSettings(experts, meetings=meetings)), 3)
    log: list[Judgement] = []
    add = study.log.add

    def remember(session: Session) -> None:
        names = {number: text(elements) for elements, number in study.log.numbers.items()} | {HUMAN_SEAT: HUMAN}
        held, begun = study.log.sessions, len(log)
        log.extend(
            Judgement(float(begun + place), f"{who}-{held}-{match}", str(who), names[what], VERDICTS[said])
            for place, (who, what, said, match) in enumerate(
                zip(*(part.tolist() for part in astuple(session)), strict=True)
            )
        )
        add(session)

    study.log.add = remember  # type: ignore[method-assign]  # listens in on what is judged
    for _ in range(5):
        study.hold()
    assert len({one.seat_truth for one in log}) > 20, "new strategies have come"
    rated = rate(log, RatingSettings(experts=experts, turing=TuringSettings(meetings=meetings, mixed=False)))
    there, here = from_log(log, rated), study.log.ratings()
    assert {str(person) for person in study.log.experts} == rated.expertise.super_experts
    assert len(study.log.experts) > 5
    assert there.humans.expert_judgements > 0
    for ours, platforms in [(here.humans, there.humans), *((here.of(one), there.of(one)) for one in there.strategies)]:
        assert ours.judgements == platforms.judgements
        assert ours.expert_judgements == pytest.approx(platforms.expert_judgements)
        assert ours.expert_detections == pytest.approx(platforms.expert_detections)


def test_a_study_repeats_exactly_and_another_seed_is_another_study() -> None:
    settings = replace(SMALL, refinement=replace(RECOMMENDED, max_generations=4))
    first = simulate(settings, 7)
    assert simulate(settings, 7) == first
    assert simulate(settings, 8) != first


def test_most_studies_of_a_hundred_persons_find_the_planted_set_and_random_selection_does_not() -> None:
    settings = SimulationSettings(FACTOR, GAME)
    assert found(simulate(settings, seed) for seed in range(1, 6)).hits >= 4
    short = replace(settings, refinement=replace(RECOMMENDED, max_generations=8))
    assert found(simulate(with_random_selection(short), seed) for seed in range(1, 3)).hits == 0


def test_a_study_goes_through_all_phases_and_reports_each_generation() -> None:
    study = Study(SimulationSettings(FACTOR, GAME), 1)
    generations = tuple(run(study))
    phases = [generation.phase for generation in generations]
    assert phases == sorted(phases, key=[Phase.RATE, Phase.EVOLVE, Phase.STRIP].index)
    assert set(phases) == {Phase.RATE, Phase.EVOLVE, Phase.STRIP}
    assert [generation.number for generation in generations] == list(range(len(generations)))
    assert generations[0].size == 16
    assert all(generation.size == 32 for generation in generations if generation.phase is Phase.EVOLVE)
    assert all(0 < generation.believability < 1 for generation in generations)
    outcome = study.outcome(generations)
    assert outcome.found
    assert outcome.answer == outcome.final[0] == study.state.answer


def test_under_the_strict_reading_not_even_a_flawless_strategy_is_believable() -> None:
    """More judgements make it worse: sooner or later every strategy, and every human, is called artificial."""
    people = draw_persons(40, PersonSettings(sensitivity=2.0), np.random.default_rng(5))
    session = hold_session(people, always(np.zeros(10)), 40, 0.5, 0, np.random.default_rng(6))
    humans, *flawless = (
        Evidence(0.5, int(seats.sum()), int(seats.sum()), int((session.verdict[seats] == SAYS_ARTIFICIAL).sum()))
        for truth in range(HUMAN_SEAT, 10)
        for seats in [session.truth == truth]
    )
    assert sum(believable(one, humans, THESIS).holds for one in flawless) == 0
    assert sum(believable(one, humans, RECOMMENDED).holds for one in flawless) >= 9


def test_a_study_without_super_experts_gives_up_and_says_why() -> None:
    blind = replace(PersonSettings(), sensitivity=0.05)
    outcome = simulate(replace(SMALL, people=blind, patience=2), 1)
    assert outcome.answer is None
    assert "super experts" in outcome.ended
    assert len(outcome.generations) == 3


def test_the_baseline_of_random_strategies() -> None:
    assert chance_of_random_strategy(FACTOR) == pytest.approx(4 / 52)  # sets of three with a basic: C(8,3) − C(4,3)
    assert len({random_strategy(FACTOR, seed) for seed in range(50)}) > 30
    assert random_strategies(FACTOR, range(400)).share == pytest.approx(4 / 52, abs=0.045)


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [(0, 20, 0, 0.168), (20, 20, 0.832, 1), (19, 20, 0.751, 0.999), (10, 20, 0.272, 0.728)],
)
def test_clopper_pearson(hits: int, trials: int, low: float, high: float) -> None:
    assert Hits(hits, trials).interval() == pytest.approx((low, high), abs=5e-4)
