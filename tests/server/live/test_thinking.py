"""The model of human thinking times: what it learns, and that it draws what it has learnt."""

from __future__ import annotations

import random
from math import exp, log
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.jostle import JOSTLE
from games.protocol import Move, Position
from games.registry import game
from server.live.thinking.fitting import Observation, fit, recorded_shape
from server.live.thinking.prior import PRIOR
from server.live.thinking.situations import FEATURES, Course, Situation
from server.live.thinking.times import SHAPE_AT, Thinking, pass_ms, quantile, thinking_ms, uniform
from tests.games.selection import VARIED

NOTHING = (0.0,) * len(FEATURES)
TRIED_OUT = ("winning", "pressed")


def decision(number: int, kind: str = "choice") -> Situation:
    """The n-th decision of a seat to which nothing special happens."""
    return Situation(kind, number, NOTHING)


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
        [log(thinking_ms(model, f"match {match}".encode(), 1, decision(ply))) for ply in range(25)]
        for match in range(300)
    ]
    flat = [value for one in drawn for value in one]
    logs = [log(observation.ms) for observation in recorded]
    assert fmean(flat) == pytest.approx(fmean(logs), abs=0.08)
    assert stdev(flat) == pytest.approx(stdev(logs), rel=0.08)
    assert stdev(map(fmean, drawn)) == pytest.approx(0.41, abs=0.06), "seats differ as persons do"


def test_too_few_times_teach_nothing() -> None:
    assert fit(people(random.Random(3), 1)[:19]) == PRIOR
    assert fit([]) == PRIOR


def test_a_few_matches_teach_the_middle_of_these_people() -> None:
    """Who answers twice as fast as those of the prior is not told from programs by that for long."""
    quick = fit(people(random.Random(3), 2))
    assert quick.kinds["choice"].mean == pytest.approx(8, abs=0.6)
    assert list(quick.kinds["choice"].weights) == list(PRIOR.kinds["choice"].weights), "nothing varied but chance"


def test_one_decision_has_one_time_wherever_it_is_computed() -> None:
    model = Thinking()
    assert thinking_ms(model, b"seed", 1, decision(17)) == thinking_ms(model, b"seed", 1, decision(17))
    assert thinking_ms(model, b"seed", 1, decision(17)) != thinking_ms(model, b"seed", 1, decision(19))


@settings(deadline=None)
@given(
    st.binary(min_size=1, max_size=32),
    st.integers(0, 500),
    st.sampled_from(["choice", "single", "roll", "never heard of"]),
)
def test_times_are_positive_and_follow_the_pace(seed: bytes, ply: int, kind: str) -> None:
    slow, quick = Thinking(), Thinking(pace=0.1)
    assert thinking_ms(slow, seed, 0, decision(ply, kind)) > 0
    assert thinking_ms(quick, seed, 0, decision(ply, kind)) == pytest.approx(
        0.1 * thinking_ms(slow, seed, 0, decision(ply, kind))
    )
    assert 900 <= pass_ms(slow, seed, ply) <= 1900
    assert 0 < uniform(seed, str(ply)) < 1


def test_any_kind_of_decision_is_learnt_and_one_without_records_keeps_its_default() -> None:
    rng = random.Random(5)
    recorded = [Observation(f"{n}", "bid", exp(9 + rng.gauss(0, 0.3))) for n in range(100) for _ in range(5)]
    model = fit([*recorded, Observation("x", "pass on", 100.0)])
    assert model.kinds["bid"].mean == pytest.approx(9, abs=0.06)
    assert "pass on" not in model.kinds, "one decision teaches nothing"
    assert model.kinds["choice"] == PRIOR.kinds["choice"]


def test_seats_that_choose_at_the_same_time_take_times_of_their_own() -> None:
    model = Thinking(between=0.0)
    assert thinking_ms(model, b"seed", 0, decision(17)) != thinking_ms(model, b"seed", 1, decision(17))


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
        ([log(thinking_ms(model, f"{match}".encode(), 1, decision(ply))) for ply in range(25)] for match in range(400)),
        key=fmean,
    )
    real = [sorted(log(one.ms) for one in recorded[25 * person : 25 * person + 25]) for person in range(400)]
    real.sort(key=fmean)
    for some in (slice(0, 100), slice(300, 400)):
        assert fmean(map(stdev, drawn[some])) == pytest.approx(fmean(map(stdev, real[some])), rel=0.08)
    assert fmean(map(stdev, drawn[:100])) < 0.85 * fmean(map(stdev, drawn[300:])), "one shape for all would not do"


# -------------------------------------------------------------------------------------------- times given the situation


def situated(rng: random.Random, count: int, decisions: int = 30, echo: float = 0.6) -> list[Observation]:
    """People who are slower when a piece was lost and with more moves, and alike from move to move."""
    made = []
    for person in range(count):
        own, mood = rng.gauss(0, 0.3), rng.gauss(0, 0.4)
        for number in range(decisions):
            options, harmed = rng.choice([2, 3, 4]), float(rng.random() < 0.2)
            mood = echo * mood + rng.gauss(0, 0.4 * (1 - echo**2) ** 0.5)
            ms = exp(7.5 + own + 0.4 * log(options) + 0.5 * harmed + mood + rng.gauss(0, 0.2))
            features = (log(options), harmed, 0.0, log(1 + number), float(number == 0), 0.0, 0.0)
            made.append(Observation(str(person), "choice", ms, features))
    return made


def test_what_the_situation_adds_is_recovered() -> None:
    learnt = fit(situated(random.Random(6), 300)).kinds["choice"]
    weights = dict(zip(FEATURES, learnt.weights, strict=True))
    assert weights["options"] == pytest.approx(0.4, abs=0.05)
    assert weights["harmed"] == pytest.approx(0.5, abs=0.05)
    assert weights["stage"] == pytest.approx(0.0, abs=0.05)


def test_few_records_leave_the_weights_near_the_prior_and_a_coffee_break_changes_little() -> None:
    few = situated(random.Random(7), 8)
    weights = fit(few).kinds["choice"].weights
    breaks = [one._replace(ms=600_000.0) if n % 40 == 0 else one for n, one in enumerate(few)]
    for robust, plain in zip(fit(breaks).kinds["choice"].weights, weights, strict=True):
        assert robust == pytest.approx(plain, abs=0.3)
    assert weights[FEATURES.index("winning")] == PRIOR.kinds["choice"].weights[FEATURES.index("winning")], "never seen"


def test_programs_are_as_alike_from_move_to_move_as_people_are() -> None:
    recorded = situated(random.Random(8), 400)
    model = fit(recorded)
    real = [log(one.ms) - 0.4 * one.features[0] - 0.5 * one.features[1] for one in recorded]
    drawn = [log(thinking_ms(model, f"{match}".encode(), 0, decision(n))) for match in range(400) for n in range(30)]
    for apart in (1, 2, 5):
        assert likeness(drawn, 30, apart) == pytest.approx(likeness(real, 30, apart), abs=0.06)


def likeness(values: list[float], series: int, apart: int) -> float:
    """The correlation of decisions so far apart, within seats."""
    centred = [
        [value - fmean(values[start : start + series]) for value in values[start : start + series]]
        for start in range(0, len(values), series)
    ]
    pairs = [(one[n], one[n + apart]) for one in centred for n in range(series - apart)]
    return fmean(x * y for x, y in pairs) / fmean(x * x for one in centred for x in one)


def moody(seed: int, count: int) -> list[Observation]:
    """People to whom nothing happens but their moods."""
    return [one._replace(features=NOTHING) for one in situated(random.Random(seed), count, decisions=20, echo=0.85)]


@pytest.mark.parametrize(("count", "fits"), [(20, 6), (400, 1)])
def test_programs_scatter_within_and_between_matches_as_people_do(count: int, fits: int) -> None:
    """The mean of some decisions that are alike is drawn towards them: about it they scatter too little, and it too
    much. With few people and with enough for classes of them."""
    recorded = moody(10, 400)
    real = [[log(one.ms) for one in recorded[start : start + 20]] for start in range(0, len(recorded), 20)]
    within, between = [], []
    for number in range(fits):
        model = fit(moody(100 + number, count))
        drawn = [
            [log(thinking_ms(model, f"{number} {match}".encode(), 0, decision(n))) for n in range(20)]
            for match in range(400 // fits)
        ]
        within.append(fmean(map(stdev, drawn)))
        between.append(stdev(map(fmean, drawn)))
    assert fmean(within) == pytest.approx(fmean(map(stdev, real)), rel=0.04)
    assert fmean(between) == pytest.approx(stdev(map(fmean, real)), rel=0.12)


def test_people_without_any_likeness_are_learnt_as_such() -> None:
    assert fit(people(random.Random(9), 300)).lasting == 0.0


def test_the_prior_knows_every_feature_and_the_whole_shape() -> None:
    for times in [*PRIOR.kinds.values(), PRIOR.other]:
        assert len(times.weights) == len(times.centre) == len(FEATURES)
    assert PRIOR.shape is not None and len(PRIOR.shape) == len(SHAPE_AT)
    assert list(PRIOR.shape) == sorted(PRIOR.shape)


@pytest.mark.parametrize("reference", VARIED)
@settings(deadline=None, max_examples=10)
@given(choice=st.integers(0, 2**32))
def test_the_course_of_a_match_follows_from_its_record_in_any_pieces(reference: str, choice: int) -> None:
    rules, rng = game(reference), random.Random(choice)
    position = rules.start()
    played: list[tuple[Position, Move]] = []
    while position.to_act != -2 and len(played) < 60:
        ways = position.ways
        move = position.drawn(rng.randrange(ways)) if ways else rng.choice(position.moves())
        played.append((position, move))
        position = position.play(move)
    whole, piecewise = Course.begin(rules).after(played), Course.begin(rules)
    for one in played:
        piecewise = piecewise.after([one])
    assert whole == piecewise
    for seat in position.acting:
        assert len(whole.situation(position, seat).features) == len(FEATURES) - (0 if rules.cheap else len(TRIED_OUT))


def test_who_was_jostled_knows_it_until_the_next_own_decision() -> None:
    rng = random.Random(3)
    position, course, found = JOSTLE.start(), Course.begin(JOSTLE), 0
    while position.to_act != -2:
        move = position.drawn(rng.randrange(position.ways)) if position.ways else rng.choice(position.moves())
        harmed = [seat for seat in position.harmed(move) if seat != position.to_act]
        mover, decides = position.to_act, position.to_act >= 0 and position.forced(position.to_act) is None
        course, position = course.after([(position, move)]), position.play(move)
        found += len(harmed)
        assert all(course.seats[seat].harmed for seat in harmed)
        if decides:
            assert not course.seats[mover].harmed
    assert found, "somebody was jostled in this match"


def test_a_win_at_hand_and_a_threat_are_noticed() -> None:
    rules = game("tic-tac-toe")
    position, course = rules.start(), Course.begin(rules)
    seen = []
    for text in ("a1", "b2", "a2", "c1"):
        seen.append(course.situation(position, position.to_act).features[-2:])
        move = rules.move(text)
        course, position = course.after([(position, move)]), position.play(move)
    assert seen == [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 1.0)], "a3 would end it"
    assert course.situation(position, position.to_act).features[-2:] == (1.0, 0.0)


def test_games_that_are_not_cheap_are_not_tried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table of the process would wait: a decision costs what its rules cost."""
    rules = game("gdl:connect-four")
    position, course = rules.start(), Course.begin(rules)
    seat = position.to_act
    position.moves(seat)

    def never(*_: object) -> None:
        raise AssertionError("a move was tried")

    monkeypatch.setattr(type(position), "play", never)
    features = course.situation(position, seat).features
    assert len(features) == len(FEATURES) - len(TRIED_OUT)


def test_what_is_not_told_changes_no_time() -> None:
    told = Situation("choice", 3, NOTHING)
    untold = Situation("choice", 3, NOTHING[: -len(TRIED_OUT)])
    centred = PRIOR.kinds["choice"].centre
    middling = Situation("choice", 3, (*untold.features, *centred[-len(TRIED_OUT) :]))
    secret = b"x" * 32
    assert thinking_ms(PRIOR, secret, 0, untold) == pytest.approx(thinking_ms(PRIOR, secret, 0, middling))
    assert thinking_ms(PRIOR, secret, 0, untold) != pytest.approx(thinking_ms(PRIOR, secret, 0, told))


def test_times_of_games_that_tell_less_are_learnt_as_well() -> None:
    short = NOTHING[: -len(TRIED_OUT)]
    seen = [Observation(f"{one % 20}", "choice", 1000 + one, short) for one in range(200)]
    learnt = fit(seen)
    assert learnt.observations == 200
    assert learnt.kinds["choice"].added(short) == 0.0
