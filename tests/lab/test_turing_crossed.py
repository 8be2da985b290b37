"""Few judges, people that differ, judges that compare, strategies shown again: planted truths that must be covered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from lab.judgements import HUMAN, Judgement
from lab.simulation.verdicts import World, verdicts
from lab.turing import (
    Answers,
    TuringSettings,
    answers,
    clustered_share,
    crossed,
    crossed_difference,
    crossed_share,
    difference,
    first_meetings,
    mixed_model,
    turing_table,
    within_matches,
)
from lab.turing.evidence import by_match
from tests.lab.simulated import judgement

Log = list[Judgement]


def split(log: Log, strategy: str = "s0") -> tuple[Log, Log]:
    return [one for one in log if one.seat_truth == strategy], [one for one in log if one.of_human]


def by_judge(log: Log) -> Answers:
    return answers((one.person, one.judged_human) for one in log)


@pytest.mark.parametrize("judges", [3, 5, 8])
def test_a_program_that_few_judges_met_is_not_known_better_than_they_know_it(judges: int) -> None:
    """Sixty judges judged humans, few of them the program, all alike: with the degrees of freedom of the sixty the
    interval covered the truth in .74, .85 and .89."""
    rng = np.random.default_rng(judges)
    names, ten = tuple(f"j{n}" for n in range(60)), np.full(60, 10.0)
    covered = 0
    for _ in range(400):
        own = rng.beta(3, 3, 60)
        humans = Answers(names, ten, rng.binomial(10, own).astype(np.float64))
        program = Answers(names[:judges], ten[:judges], rng.binomial(10, own[:judges]).astype(np.float64))
        covered += 0.0 in difference(program, humans).interval()
    assert covered / 400 > 0.92


def test_judges_who_met_the_program_give_the_degrees_of_freedom() -> None:
    humans = Answers(("a", "b", "c", "d"), np.full(4, 5.0), np.array([1.0, 2.0, 3.0, 4.0]))
    program = Answers(("a", "b"), np.full(2, 5.0), np.array([1.0, 3.0]))
    assert difference(program, humans).df == 1
    assert difference(Answers(("a",), np.full(1, 5.0), np.ones(1)), humans).se == float("inf")


@pytest.mark.parametrize("people", [0.6, 1.0])
def test_the_yardstick_covers_where_people_differ_as_stimuli(people: float) -> None:
    world = World(people=people)
    one_way = two_way = gaps = 0
    for seed in range(120):
        program, humans = split(verdicts(world, seed))
        one_way += world.humans in clustered_share(by_judge(humans)).interval
        two_way += world.humans in crossed_share(crossed(humans)).interval
        gaps += world.gap() in crossed_difference(crossed(program), crossed(humans)).interval()
    assert one_way / 120 < 0.9
    assert two_way / 120 > 0.91
    assert gaps / 120 > 0.91


def test_judges_who_compare_push_a_human_program_away_unless_it_is_measured_within_matches() -> None:
    world = World(comparing=1.0, persons=60)
    overall, within = [], []
    for seed in range(30):
        program, humans = split(verdicts(world, seed))
        overall.append(crossed_difference(crossed(program), crossed(humans)).estimate)
        within.append(within_matches(program, by_match(humans)).estimate)
    assert np.mean(overall) < -0.07
    assert np.mean(within) == pytest.approx(0, abs=0.02)


def shown_again() -> World:
    """The truth is a gap of exactly −.10, the margin of the equivalence test; judges have views of their own."""
    world = World((0.0,), views=0.8)
    look = float(brentq(lambda look: replace(world, looks=(look,)).gap() + 0.10, 0, 2))
    return World((look, *[0.6] * 5), matches=30, views=0.8, again=True)


def test_showing_misjudged_strategies_again_makes_them_look_human_but_not_at_first_meetings() -> None:
    world = shown_again()
    everything, first, false_all, false_first = [], [], 0, 0
    for seed in range(60):
        log = verdicts(world, seed)
        program, humans = split(log)
        everything.append(crossed_difference(crossed(program), crossed(humans)))
        program, humans = split(first_meetings(log))
        first.append(crossed_difference(crossed(program), crossed(humans)))
    false_all = sum(one.equivalence().equivalent for one in everything)
    false_first = sum(one.equivalence().equivalent for one in first)
    assert np.mean([one.estimate for one in everything]) > -0.085
    assert np.mean([one.estimate for one in first]) == pytest.approx(-0.10, abs=0.02)
    assert false_all / 60 > 0.07
    assert false_first / 60 <= 0.05


def test_the_table_leaves_out_what_was_shown_again_and_says_how_much() -> None:
    log = [
        judgement(1, "ann", "S", False, "m1"),
        judgement(1, "ann", HUMAN, False, "m1"),
        judgement(2, "ann", "S", False, "m2"),
        judgement(2, "ann", HUMAN, True, "m2"),
        judgement(3, "ann", "T", True, "m3"),
        judgement(3, "ann", HUMAN, True, "m3"),
    ]
    table = turing_table(log)
    assert (table.judgements, table.left_out) == (4, 2)
    assert table.strategies["S"].judged_human.judgements == 1
    assert turing_table(log, TuringSettings(meetings="all")).strategies["S"].judged_human.judgements == 2
    with pytest.raises(ValueError, match="meetings must be one of first, all"):
        TuringSettings(meetings="second")


def test_the_mixed_model_equals_lme4() -> None:
    """R 4.2, lme4:

    glmer(y ~ 0 + truth + (1 | judge) + (0 + z | judge) + (0 + human | person) + (0 + program | view), data,
          family = binomial("probit"), nAGQ = 0, control = glmerControl(optimizer = "bobyqa"))

    with y: judged human, z: ½ for programs, −½ for humans, view: judge and strategy.
    """
    world = World(persons=30, matches=16, people=0.7, sensitivities=0.5, criteria=0.5, views=0.8)
    model = mixed_model(verdicts(world, 4))
    assert model is not None
    assert model.spreads == pytest.approx(
        {"criterion": 0.570466, "sensitivity": 0.487451, "person": 0.529916, "view": 0.752202}, abs=0.004
    )
    assert model.log_likelihood == pytest.approx(-573.263802, abs=0.005)
    latent = {"s0": 0.109019, "s1": -0.415840, "s2": -0.821806, "s3": -0.531772}
    assert {name: one.latent for name, one in model.strategies.items()} == pytest.approx(
        {name: value - 0.177979 for name, value in latent.items()}, abs=0.002
    )


def test_the_mixed_model_finds_the_planted_gap_although_strategies_were_shown_again() -> None:
    world = shown_again()
    gaps = [model.strategies["s0"].difference for seed in range(6) if (model := mixed_model(verdicts(world, seed)))]
    assert np.mean([gap.estimate for gap in gaps]) == pytest.approx(world.gap(), abs=0.03)
    assert sum(world.gap() in gap.interval() for gap in gaps) >= 5


def test_the_mixed_model_covers_where_people_and_single_matches_of_programs_differ() -> None:
    """Two judges see the same play of a program, which the model does not know where strategies come again."""
    world = World(persons=24, matches=12, people=0.8, plays=0.8)
    gaps = [model.strategies["s0"].difference for seed in range(8) if (model := mixed_model(verdicts(world, seed)))]
    assert sum(world.gap() in gap.interval() for gap in gaps) >= 6
    assert np.mean([gap.estimate for gap in gaps]) == pytest.approx(world.gap(), abs=0.09)


def test_the_mixed_model_needs_humans_and_programs() -> None:
    assert mixed_model([judgement(1, "ann", "S", False)]) is None
    assert turing_table([judgement(1, "ann", "S", False)]).mixed is None


def test_many_judges_are_represented_by_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.turing.mixed.MOST_JUDGES", 12)
    model = mixed_model(verdicts(World(persons=20, matches=4), 1))
    assert model is not None
    assert model.judges == 12
