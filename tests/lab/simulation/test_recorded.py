"""The records of a simulated study are complete, true to the rules, repeatable, and come as a stream."""

from collections import Counter
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.book import read_book, replay, write_book
from games.book import record as record_book
from games.dice import commitment, verify
from games.jostle import JOSTLE, Roll
from games.protocol import OVER
from games.registry import game as find_game
from lab.cluster import executor
from lab.judgements import HUMAN
from lab.probands.factor import HumanFactor
from lab.refinement import Phase, pool_of
from lab.refinement.settings import RECOMMENDED
from lab.simulation.recorded import RecordSettings, recorded
from lab.simulation.records import MatchRecord, PersonRecord, StepRecord, StudyRecord
from lab.simulation.study import SimulationSettings
from lab.simulation.tables import NOBODY, seat_tables
from npc import Follower, strategy
from tests.lab.start import GAME, POOL

SETTINGS = SimulationSettings(HumanFactor(("Observing", "Lingering"), POOL), GAME, persons=9, judgements=8)
FEW = RecordSettings(most_judgements=150)


@pytest.fixture(scope="module")
def stream() -> list[StudyRecord]:
    return list(recorded(SETTINGS, 3, FEW))


@pytest.fixture(scope="module")
def matches(stream: list[StudyRecord]) -> list[MatchRecord]:
    return [one for one in stream if isinstance(one, MatchRecord)]


@given(st.integers(2, 25), st.integers(1, 20), st.integers(1, 8), st.integers(0, 99))
def test_tables_seat_everybody_once_per_turn_and_strategies_equally_often(
    persons: int, strategies: int, turns: int, seed: int
) -> None:
    tables = seat_tables(persons, strategies, turns, 3, np.random.default_rng(seed))
    for turn in range(turns):
        seated = tables.person[tables.turn == turn]
        assert sorted(seated[seated != NOBODY].tolist()) == list(range(persons))
    assert np.all((tables.person == NOBODY) == (tables.strategy >= 0))
    counts = np.bincount(tables.strategy[tables.strategy >= 0], minlength=strategies)
    assert counts.max() - counts.min() <= 1
    assert Counter((tables.person == NOBODY).sum(axis=1).tolist()).keys() <= {1, 2}


@given(st.integers(4, 25), st.integers(1, 20), st.integers(1, 8), st.integers(0, 99))
def test_at_tables_for_two_half_of_the_persons_meet_a_person(
    persons: int, strategies: int, turns: int, seed: int
) -> None:
    tables = seat_tables(persons, strategies, turns, 2, np.random.default_rng(seed))
    for turn in range(turns):
        seated = tables.person[tables.turn == turn]
        assert sorted(seated[seated != NOBODY].tolist()) == list(range(persons))
        together = seated[np.all(seated != NOBODY, axis=1)]
        assert together.size == persons // 4 * 2
    assert np.all((tables.person == NOBODY) == (tables.strategy >= 0))


@pytest.mark.parametrize("reference", ["tic-tac-toe:standard", "tricks:standard", "ten:standard"])
def test_a_study_of_any_game_is_recorded_by_its_rules(reference: str) -> None:
    game = find_game(reference)
    pool = pool_of(game)
    factor = HumanFactor(pool.symbionts[:1], pool)
    settings = SimulationSettings(factor, reference, persons=8, judgements=4)
    found = [one for one in recorded(settings, 5, RecordSettings(most_judgements=20)) if isinstance(one, MatchRecord)]
    for match in found:
        assert match.played is not None
        assert len(match.seats) == len(game.seats)
        position = game.start()
        for written in match.played.moves:
            position = position.play(game.move(written))
        assert (position.to_act, position.scores()) == (OVER, match.played.scores)
        seed = match.played.dice_seed
        assert verify(game, seed.hex(), commitment(seed), match.played.moves).fair
        for one in match.judgements:
            assert one.truth == (match.seats[one.seat].strategy or HUMAN)


def test_a_stream_begins_with_its_persons_then_come_matches_and_steps_in_the_order_of_time(
    stream: list[StudyRecord],
) -> None:
    assert [type(one) for one in stream[:9]] == [PersonRecord] * 9
    times = [
        one.started if isinstance(one, MatchRecord) else one.at
        for one in stream[9:]
        if not isinstance(one, PersonRecord)
    ]
    assert times == sorted(times)
    steps = [one for one in stream if isinstance(one, StepRecord)]
    assert steps
    assert steps[0].before.phase is Phase.RATE


def test_every_match_follows_the_rules_and_its_book_replays(matches: list[MatchRecord]) -> None:
    for match in matches[:15]:
        assert match.played is not None
        moves = [JOSTLE.move(written) for written in match.played.moves]
        book = read_book(write_book(record_book(JOSTLE, moves)))
        # A book does not tell the die of a pass, so what the seats did is compared.
        done = [str(move) for move in replay(book).moves if not isinstance(move, Roll)]
        assert done == [str(move) for move in moves if not isinstance(move, Roll)]
        assert replay(book).position.scores() == match.played.scores
        seed = match.played.dice_seed
        assert verify(JOSTLE, seed.hex(), commitment(seed), match.played.moves).fair
        assert len(match.played.milliseconds) == len(match.played.moves)


def test_programs_play_exactly_as_their_strategy_and_seed_say(matches: list[MatchRecord]) -> None:
    match = matches[0]
    assert match.played is not None
    seat = next(place for place, one in enumerate(match.seats) if one.strategy)
    name = match.seats[seat].strategy
    assert name is not None
    follower, decided = Follower(JOSTLE, strategy(name, JOSTLE), match.seats[seat].seed), 0
    for written in match.played.moves:
        if follower.position.to_act == seat:
            assert str(follower.decide().move) == written
            decided += 1
        follower.follow([JOSTLE.move(written)])
    assert decided > 10


def test_every_person_judges_both_other_seats_with_what_they_truly_were(matches: list[MatchRecord]) -> None:
    for match in matches:
        for who in (seat.person for seat in match.seats if seat.person is not None):
            judged = [one for one in match.judgements if one.person == who]
            assert len(judged) == 2
            assert len({one.enjoyment for one in judged}) == 1
            for one in judged:
                seat = match.seats[one.seat]
                assert seat.person != who
                assert one.truth == (seat.strategy or HUMAN)
                assert one.of_human == (seat.person is not None)
                assert one.answered > match.ended
                assert 0 <= one.sureness <= 100
                assert one.judgement(match.number).person == str(who)


def test_records_are_the_same_whatever_runs_them(stream: list[StudyRecord]) -> None:
    with executor(workers=2) as pool:
        assert list(recorded(SETTINGS, 3, FEW, pool)) == stream


def test_it_is_a_stream_that_computes_no_more_than_is_taken() -> None:
    huge = replace(SETTINGS, persons=2_000, judgements=40)
    first = list(islice(recorded(huge, 1), 2_003))
    assert isinstance(first[-1], MatchRecord)


def test_without_books_the_round_goes_to_its_end() -> None:
    settings = replace(SETTINGS, persons=60, judgements=30, refinement=replace(RECOMMENDED, max_generations=3))
    *_, last = recorded(settings, 1, RecordSettings(books=False))
    assert isinstance(last, StepRecord)
    assert last.step.state.phase in {Phase.DONE, Phase.RATE}
