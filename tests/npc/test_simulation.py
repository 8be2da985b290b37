"""Simulated games: repeatable, whatever the number of cores, and measured rightly."""

import math
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

import npc
from games.jostle import JOSTLE
from games.protocol import OVER, GameError
from games.registry import game as find_game
from npc.composed.jostle.measuring.measures import JostleRecord
from npc.simulation import Setup, measured, report, simulate
from npc.simulation.play import GameRecord, play_game
from npc.simulation.report import estimate
from server.prolog import WasmtimeHost
from tests.games.selection import VARIED
from tests.npc.prolog.scripts import LAST
from tests.npc.walks import some_of

NAMES = ("ADVANCER", "Observing PALS", "RANDOMIZER")
SEATS = tuple(f"composed:{name}" for name in NAMES)
MEASURES = measured(JOSTLE).measures


def test_the_same_seed_gives_the_same_numbers_on_any_number_of_cores() -> None:
    setup = Setup("jostle", SEATS, 110, "cores")
    here = list(simulate(setup, workers=1))
    there = list(simulate(setup, workers=2))
    elsewhere = list(simulate(setup, executor=ThreadPoolExecutor(3)))
    assert here == there == elsewhere
    assert report(NAMES, here, MEASURES).as_json() == report(NAMES, there, MEASURES).as_json()
    assert here != list(simulate(Setup("jostle", SEATS, 110, "other cores"), workers=1))


def test_games_do_not_depend_on_how_many_are_played() -> None:
    few, many = (list(simulate(Setup("jostle", SEATS, number, "x"), workers=1)) for number in (5, 60))
    assert many[:5] == few


def test_a_record_tells_the_game_that_its_moves_tell() -> None:
    game = play_game(JOSTLE, [npc.strategy(name, JOSTLE) for name in NAMES], "record", 3, measured(JOSTLE).scribe)
    position = JOSTLE.start()
    for move in game.moves:
        position = position.play(move)
    assert position.to_act == OVER
    assert tuple(seat.score for seat in game.seats) == position.scores()
    assert math.isclose(sum(seat.win for seat in game.seats), 1)
    assert max(seat.turns for seat in game.seats) == game.rounds


def test_changing_seats_keeps_the_numbers_with_their_strategies() -> None:
    found = report(NAMES, simulate(Setup("jostle", SEATS, 60, "rotate", rotate=True), workers=1), MEASURES)
    assert found.estimates[0]["panic ahead"].mean == 1.0, "ADVANCER always moves its first piece"
    fixed = report(NAMES, simulate(Setup("jostle", SEATS, 60, "rotate"), workers=1), MEASURES)
    assert fixed.estimates[0]["panic ahead"].mean == 1.0


def test_every_measure_is_reported_for_every_seat_with_an_interval() -> None:
    found = report(NAMES, simulate(Setup("jostle", SEATS, 50, "measures"), workers=1), MEASURES)
    for seat in found.estimates:
        assert set(seat) == set(MEASURES)
        assert all(value.low <= value.mean <= value.high for value in seat.values())
    assert math.isclose(sum(seat["wins"].mean for seat in found.estimates), 1)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50))
def test_an_interval_contains_its_mean(numbers: list[float]) -> None:
    found = estimate(numbers)
    assert found.low <= found.mean <= found.high


def test_wilson_keeps_shares_between_zero_and_one() -> None:
    assert estimate([1.0] * 10, share=True).high <= 1
    assert estimate([0.0] * 10, share=True).low >= 0
    low, high = estimate([1.0, 0.0] * 50, share=True)[1:]
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)


def test_rule_bases_play_along_and_their_faults_are_counted(engine: WasmtimeHost) -> None:
    broken = "move(_, _) :- fail.\nrollDieAgain(_) :- fail.\n"
    setup = Setup("jostle", (f"prolog:{LAST}", f"prolog:{broken}", "composed:PALS"), 2, "rules")
    games = list(simulate(setup, workers=1))
    assert all(game.seats[0].faults == 0 for game in games)
    assert all(game.seats[1].faults == moved(game, 1) > 0 for game in games)


def moved(game: GameRecord, seat: int) -> int:
    record = game.seats[seat]
    assert isinstance(record, JostleRecord)
    return record.moves


@pytest.mark.parametrize("reference", VARIED)
def test_every_game_is_played_to_its_end_by_its_whole_population(reference: str) -> None:
    game = find_game(reference)
    for number, name in enumerate(some_of(npc.school_of(game).population(game), game)):
        players = tuple(f"composed:{name if seat == 0 else 'RANDOMIZER'}" for seat in range(len(game.seats)))
        (played,) = simulate(Setup(reference, players, 1, f"whole {number}"), workers=1)
        position = game.start()
        for move in played.moves:
            position = position.play(move)
        assert (position.to_act, position.scores()) == (OVER, tuple(seat.score for seat in played.seats))
        assert sum(seat.faults for seat in played.seats) == 0


@pytest.mark.parametrize(
    ("setup", "error"),
    [
        (Setup("jostle", ("composed:PALS", "composed:PALS"), 1), npc.PlayerError),
        (Setup("jostle", ("composed:PALS", "composed:PALS", "composed:NOBODY"), 1), npc.StrategyError),
        (Setup("jostle", ("composed:PALS", "composed:PALS", "PALS"), 1), npc.PlayerError),
        (Setup("jostle", ("composed:PALS", "composed:PALS", "composed:PALS"), 0), npc.PlayerError),
        (Setup("chess", ("composed:PALS", "composed:PALS", "composed:PALS"), 1), GameError),
        (Setup("tic-tac-toe", ("composed:PALS", "composed:PALS"), 1), npc.StrategyError),
    ],
)
def test_what_cannot_be_played_is_refused(setup: Setup, error: type[Exception]) -> None:
    with pytest.raises(error):
        list(simulate(setup, workers=1))
