"""Tourality's worlds and rules; what every game promises is in the conformance suite."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.protocol import OVER, GameError, IllegalMoveError, NotationError
from games.registry import game, open_source
from games.tourality.world import Size, World, neighbours, read_board, regions, signs_of, world_of, worlds, write_board


def opened(*rows: str, sweeps: int = 1) -> Any:
    return open_source(
        "tourality", "world\n" + "".join(f"{row}\n" for row in rows) + ("sweeps 2\n" if sweeps == 2 else "")
    )


def played(rules: Any, *steps: str) -> Any:
    position = rules.start()
    for step in steps:
        position = position.play(rules.move(step))
    return position


# ---------------------------------------------------------------------------------------------------------- worlds


def test_every_number_is_another_world_and_all_worlds_have_one() -> None:
    size, obstacles, leaves = Size(3, 2), 1, 2
    found = {world_of(number, size, obstacles, leaves) for number in range(worlds(size, obstacles, leaves))}
    assert len(found) == worlds(size, obstacles, leaves) == 6 * 10 * 3 * 2
    for world in found:
        cells = [*world.obstacles, *world.leaves, *world.starts]
        assert len(set(cells)) == len(cells) == obstacles + leaves + 2
        assert set(cells) <= set(range(6))


def test_chance_draws_all_cells_equally_often() -> None:
    rules = game("tourality:garden")
    start = rules.start()
    number, step = 0, start.ways // 4001
    counts: Counter[str] = Counter()
    for _ in range(4000):
        number += step
        world = world_of(number, Size(9, 9), 10, 11)
        counts.update({"centre": 40 in world.leaves, "corner": 0 in world.leaves, "stone": 40 in world.obstacles})
    assert abs(counts["centre"] / 4000 - 11 / 81) < 0.03
    assert abs(counts["corner"] / 4000 - 11 / 81) < 0.03
    assert abs(counts["stone"] / 4000 - 10 / 81) < 0.03


@given(st.integers(2, 26), st.integers(2, 26), st.data())
def test_boards_read_back(columns: int, rows: int, data: st.DataObject) -> None:
    size = Size(columns, rows)
    cells = data.draw(st.lists(st.integers(0, size.cells - 1), unique=True, min_size=3, max_size=min(60, size.cells)))
    cut = data.draw(st.integers(2, len(cells) - 1))
    world = World(frozenset(cells[cut:]), frozenset(cells[2:cut]), (cells[0], cells[1]))
    assert read_board(write_board(size, signs_of(world))) == (size, world)


def test_a_cell_knows_what_lies_around_it_and_what_can_be_reached() -> None:
    size, world = read_board("a#o/1#b")
    assert neighbours(size)[0] == (3, None, None, 1)
    assert regions(size, world.obstacles) == (0, -1, 2, 0, -1, 2)


# ----------------------------------------------------------------------------------------------------------- rules


def test_whoever_enters_a_leafs_field_gathers_it_and_more_leaves_win() -> None:
    rules = opened("a.o", "b.o", "..o")
    position = played(rules, "right", "right", "right")
    assert position.scores() == (1, 0)
    position = played(rules, "right", "right", "right", "right")
    assert position.scores() == (1, 1)
    end = played(rules, "right", "right", "right", "right", "left", "down")
    assert (end.scores(), end.to_act, end.winners()) == ((1, 2), OVER, (1,))


def test_stones_the_edge_and_the_other_beetle_are_in_the_way() -> None:
    rules = opened("#o.", "ab.", "...")
    assert [str(move) for move in rules.start().moves()] == ["down"]
    with pytest.raises(IllegalMoveError, match="can go down"):
        rules.start().play(rules.move("up"))


def test_whoever_cannot_step_passes() -> None:
    rules = opened("a#o", "b..")
    position = rules.start()
    assert [str(move) for move in position.moves()] == ["pass"]
    assert str(position.forced(0)) == "pass"
    after = position.play(rules.move("pass"))
    assert (after.to_act, after.scores()) == (1, (0, 0))


def test_a_game_ends_when_no_leaf_can_be_reached() -> None:
    assert opened("a.#o", "b.##").start().to_act == OVER
    rules = opened("ao#o", "b.##")
    end = played(rules, "right")
    assert (end.to_act, end.winners(), end.scores()) == (OVER, (0,), (1, 0))


def test_a_game_ends_when_nobody_has_gathered_anything_for_long() -> None:
    rules = opened("a..o", "b...")
    position = rules.start()
    for _ in range(6):
        for step in ("right", "right", "left", "left"):
            if position.to_act != OVER:
                position = position.play(rules.move(step))
    assert (position.to_act, position.quiet, position.winners()) == (OVER, 24, ())


def test_a_challenge_is_played_twice_with_places_and_turns_exchanged() -> None:
    rules = opened("a.o", "b..", sweeps=2)
    second = played(rules, "right", "right", "right")
    assert second.text() == "b1o/a2 b 1:0 0"
    assert second.to_act == 1
    end = played(rules, "right", "right", "right", "right", "right", "right")
    assert (end.scores(), end.to_act, end.winners()) == ((1, 1), OVER, ())


def test_events_of_another_sweep_put_the_first_world_back() -> None:
    rules = opened("a.o", "b..", sweeps=2)
    position = played(rules, "right", "right")
    told = {(event.how, event.source, event.target) for event in position.events(rules.move("right"))}
    assert told == {("clear", "b1", ""), ("clear", "b2", ""), ("put", "", "a1"), ("put", "", "a2")}


@pytest.mark.parametrize(
    "source",
    [
        "", "size 20 20", "size 1 20\nobstacles 1\nleaves 1\n", "size 27 20\nobstacles 1\nleaves 1\n",
        "size 3 3\nobstacles 4\nleaves 4\n", "size 3 3\nobstacles 4\nleaves 0\n", "size 03 3\nobstacles 0\nleaves 1\n",
        "size 26 26\nobstacles 220\nleaves 220\n", "world\nab\n", "world\na.o\nb.\n", "world\na.o\na..\n",
        "world\na.o\nb..\nsweeps 1\n", "world\na.o\nb..\nsweeps 3\n", "world\n" + "." * 100_000 + "\n",
        "world\na.o\r\nb..\n",
    ],
)  # fmt: skip
def test_sources_that_describe_no_world_are_refused(source: str) -> None:
    with pytest.raises(GameError):
        open_source("tourality", source)


@pytest.mark.parametrize(
    "text",
    [
        "2o/ab1 a 1:0 0",
        "2o/ab1 - 0:0 0",
        "1ao/b2 a 0:0 999",
        "2#/ab1 a 0:0 0",
        "a1o/b2 b 0:0 0 a1o/b2",
        "a2/b2 a 1:0 0",
    ],
)
def test_positions_that_no_game_leads_to_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        opened("a.o", "b..").position(text)
