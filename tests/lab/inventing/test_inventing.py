"""The figures of an invented game, and the evolution that they drive."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.evolved import RANGES, game_of
from games.evolved.position import read_board
from games.evolved.rules import Rules, Way
from lab.inventing import (
    Figures,
    Setting,
    Trial,
    best,
    combined,
    differences,
    evolve,
    first_trial,
    measured,
    next_trial,
)
from lab.inventing.archive import ArchiveError, line, read_archive, write_archive
from lab.inventing.evolution import is_better, mutated
from lab.inventing.metrics import dynamism, scaled_duration
from lab.inventing.playing import Played, at_random, by_one_ply, gain, play

CHROMOSOMES = st.tuples(*(st.integers(*limits) for limits in RANGES))
SMALL = Setting(seed=3, families=2, iterations=2, games=2)


def plain(**changes: object) -> Rules:
    """One A on a1 that steps straight forward and captures by stepping into."""
    chromosome = game_of([1, *[0] * 23, *[6] * 6, *[0] * 20]).chromosome
    return game_of(chromosome._replace(**changes).genes).rules  # type: ignore[arg-type]  # as a test writes them


def board(text: str) -> bytes:
    found = read_board(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("moves", "worth"),
    [
        *[(0, 0), (10, 0), (11, 0.2), (20, 0.2), (21, 0.5), (30, 0.5), (31, 0.8), (40, 0.8), (41, 1), (60, 1)],
        *[(61, 0.8), (70, 0.8), (71, 0.5), (80, 0.5), (81, 0.2), (90, 0.2), (91, 0), (100, 0)],
    ],
)
def test_durations_are_scaled_as_the_source_says(moves: int, worth: float) -> None:
    assert scaled_duration(moves) == worth


def test_a_game_without_choice_has_the_figures_that_can_be_counted_by_hand() -> None:
    """Two pieces walk towards each other on one column: three steps each, then South takes North."""
    rules = plain()
    played = play(rules, (at_random, at_random), Random(1))
    assert played == Played(7, 0, ((4, 7), (3, 7)))
    assert measured(rules, Random(1), games=4) == pytest.approx((0.0, 0.5, 0.5, 7 / 64))


def test_dynamism_counts_the_life_of_each_piece() -> None:
    assert dynamism(Played(10, None, ((5, 10), (1, 4), (0, 10)))) == pytest.approx((0.5 + 0.25) / 3)
    assert dynamism(Played(0, 1, ((0, 0), (0, 0)))) == 0


def test_the_one_ply_player_takes_what_is_worth_most_and_else_approaches() -> None:
    rules = plain(placement=(1, 2, *[0] * 22), movement=(3, 4, 6, 6, 6, 6), capture=(0, 1, 0, 0, 0, 0))
    here = board("8/8/8/8/2b1a3/3A4/8/8")
    ways = rules.ways(here, 0)
    assert by_one_ply(rules, here, ways, Random(0)).taken == 28, "A is worth 8 + 4, B is worth 5 + 3"
    far = board("8/7a/8/8/8/8/8/A7")
    assert by_one_ply(rules, far, rules.ways(far, 0), Random(0)) == Way(0, 9, -1)


def test_a_move_that_gives_honour_away_is_dear() -> None:
    rules = plain(honour=1, conversion=(2, 0, 0, 0, 0, 0))
    assert gain(rules, board("8/A7/8/8/8/8/8/7a"), Way(48, 56, -1)) == -3000
    assert gain(rules, board("8/A7/8/8/8/8/8/A6a"), Way(48, 56, -1)) == -1000
    assert gain(rules, board("8/8/8/8/8/7a/7A/8"), Way(15, 23, 23)) == 1010


@settings(max_examples=20, deadline=None)
@given(CHROMOSOMES, st.integers(0, 99))
def test_players_on_boards_play_by_the_rules(genes: tuple[int, ...], seed: int) -> None:
    """What is played here is a game of the same length and end on positions."""
    rules = game_of(genes).rules
    chosen: list[Way] = []

    def noting(rules: Rules, board: bytes, ways: tuple[Way, ...], rng: Random) -> Way:
        chosen.append(by_one_ply(rules, board, ways, rng))
        return chosen[-1]

    played = play(rules, (noting, noting), Random(seed))
    position = game_of(genes).start()
    for way in chosen:
        position = position.play(game_of(genes).move(str(next(m for m in position.moves() if m == way[:2]))))
    assert position.to_act < 0
    assert (position.played, position.winners()) == (played.moves, () if played.winner is None else (played.winner,))
    assert sum(changes for changes, _ in played.pieces) == played.moves


def test_ranks_are_added_up_with_weights() -> None:
    population = [Figures(1, 0.1, 3, 4), Figures(0.5, 0.2, 3, 3), Figures(0, 0.3, 1, 2)]
    assert combined(population) == [3 + 1 + 2.5 + 3, 2 + 2 + 2.5 + 2, 1 + 3 + 1 + 1]
    assert combined(population, (0, 1, 0, 0)) == [1, 2, 3]


def test_games_differ_from_six_tenths_of_the_largest_value_on() -> None:
    assert differences([Figures(1, 0, 1, 1), Figures(0.4, 0, 0.41, 0), Figures(1, 0, 1, 1)]) == [2, 4, 2]


def test_a_child_has_to_exceed_four_parts_of_its_parent() -> None:
    parent = Figures(0.5, 0.5, 0.1, 1)
    assert not is_better(parent, parent)
    assert is_better(Figures(0.51, 0.5, 0.1, 1), parent)
    assert is_better(Figures(0.01, 0.51, 0.1, 1), parent._replace(duration=0))
    assert not is_better(Figures(0, 0.6, 0.1, 1), parent._replace(duration=0))


@given(CHROMOSOMES, st.integers(0, 99))
def test_mutation_without_a_rate_only_repairs_and_always_gives_games(genes: tuple[int, ...], seed: int) -> None:
    repaired = game_of(genes).chromosome.genes
    assert mutated(repaired, 0, Random(seed)) == repaired
    child = mutated(repaired, 0.3, Random(seed))
    assert game_of(child).chromosome.genes == child


def run(setting: Setting) -> list[Trial]:
    trials = []
    for family in range(setting.families):
        parent = first_trial(setting, family)
        trials.append(parent)
        for iteration in range(1, setting.iterations + 1):
            trials.append(child := next_trial(setting, parent, iteration))
            assert child.parent == parent.iteration
            parent = child if child.kept else parent
    return trials


def test_a_run_can_be_repeated_and_its_best_are_kept() -> None:
    trials = run(SMALL)
    assert trials == run(SMALL)
    assert trials != run(SMALL._replace(seed=4))
    archive = best(trials)
    for metric, games in archive.items():
        assert len(games) == 2
        others = [trial for trial in trials if trial not in games]
        worst = min(getattr(trial.figures, metric) for trial in games)
        assert all(getattr(trial.figures, metric) <= worst for trial in others)


def test_archives_read_back_also_when_the_last_line_was_cut_off(tmp_path: Path) -> None:
    trials, file = run(SMALL), tmp_path / "run.jsonl"
    assert read_archive(file, SMALL) == []
    write_archive(file, SMALL, trials[:-1])
    with file.open("a", encoding="utf-8") as open_file:
        open_file.write(line(trials[-1])[:-5])
    assert read_archive(file, SMALL) == trials[:-1]
    assert read_archive(file, SMALL._replace(iterations=9)) == trials[:-1]
    with pytest.raises(ArchiveError, match="not of"):
        read_archive(file, SMALL._replace(seed=9))
    file.write_text("something else\n", encoding="utf-8")
    with pytest.raises(ArchiveError, match="no archive"):
        read_archive(file, SMALL)


def test_a_run_that_was_interrupted_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    told: list[int] = []
    with ThreadPoolExecutor(1) as pool:
        trials = evolve(SMALL, whole, pool, told.append)
        broken.write_text(whole.read_text(encoding="utf-8")[:-900], encoding="utf-8")
        again = evolve(SMALL, broken, pool, told.append)
    assert told == [0, 1, 2] * 2
    assert sorted(again) == sorted(trials) == sorted(run(SMALL))
    assert sorted(read_archive(broken, SMALL)) == sorted(trials)
