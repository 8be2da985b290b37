"""The kernel finds what plain Python finds, in drawn worlds, with and without a table; and both find what is best."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.protocol import OVER
from games.registry import open_source
from games.tourality import STEPS, TouralityPosition
from games.tourality.position import PASS
from kernels.kernel import Running
from npc.tourality_minimax.kind import STRONG
from npc.tourality_minimax.parameters import RANGES, REFERENCE, Parameters, read_parameters
from npc.tourality_minimax.plain import PlainSearch, State
from npc.tourality_minimax.search import Room, find, kernel

WEIGHTS = tuple(name for name, limits in RANGES.items() if limits.meaning.startswith("weight"))


@st.composite
def drawn(draw: st.DrawFn, side: int = 9) -> TouralityPosition:
    """A position of a drawn world, some steps after its beginning."""
    columns, rows = draw(st.integers(2, side)), draw(st.integers(2, side))
    cells = columns * rows
    leaves = draw(st.integers(1, max(1, min(cells - 2, cells // 4))))
    obstacles = draw(st.integers(0, (cells - 2 - leaves) // 2))
    position = open_source("tourality", f"size {columns} {rows}\nobstacles {obstacles}\nleaves {leaves}\n").start()
    assert isinstance(position, TouralityPosition)
    position = position.play(position.drawn(draw(st.integers(0, position.ways - 1))))
    for choice in draw(st.lists(st.integers(0, 3), max_size=12)):
        if position.to_act == OVER:
            break
        moves = position.moves()
        position = position.play(moves[choice % len(moves)])
    return position


@st.composite
def wanted(draw: st.DrawFn) -> Parameters:
    """Any setting that plain Python can follow quickly."""
    depth = draw(st.sampled_from((1, 3, 5)))
    numbers = {name: draw(st.integers(-9, 9)) for name in WEIGHTS}
    for name, most in (("reward", 20), ("decay", 6), ("cost", 3), ("bonus", 4), ("near", 6)):
        numbers[name] = draw(st.integers(0, most))
    return Parameters(depth=depth, range=draw(st.integers(-1, 7)), table=draw(st.sampled_from((0, 4, 16))), **numbers)


@settings(max_examples=150, deadline=None)
@given(drawn(), wanted())
def test_the_kernel_finds_the_line_of_plain_python(position: TouralityPosition, asked: Parameters) -> None:
    if position.to_act == OVER:
        return
    for seat in (0, 1):
        expected = PlainSearch(position, seat, asked).find(asked.depth)
        found = find(position, seat, asked, asked.depth)
        assert (found.line, found.value) == (expected.line, expected.value)
        assert asked.table or found.nodes == expected.nodes, "without a table it looks at the same positions"


@pytest.mark.parametrize("asked", [REFERENCE, read_parameters("depth=9 range=5"), read_parameters(STRONG)])
def test_the_settings_that_are_played_are_those_of_plain_python_move_for_move(asked: Parameters) -> None:
    """A sweep in a world of the real size; the deepest settings less deep, because plain Python has to follow."""
    asked = replace(asked, depth=min(asked.depth, 7))
    position = open_source("tourality", "size 20 20\nobstacles 40\nleaves 40\n").start()
    position = position.play(position.drawn(position.ways // 7))
    for _ in range(24):
        seat = position.to_act
        expected = PlainSearch(position, seat, asked).find(1)
        assert find(position, seat, asked).line == expected.line == find(position, seat, replace(asked, table=0)).line
        position = position.play(STEPS[expected.line[0]])


@settings(max_examples=12, deadline=None)
@given(drawn(5), wanted())
def test_the_kernel_is_the_same_as_python_and_every_number_fits(position: TouralityPosition, asked: Parameters) -> None:
    if position.to_act == OVER:
        return
    asked = replace(asked, depth=3, table=min(asked.table, 4))

    def found(running: Running) -> object:
        with running:
            room = Room(running, position.rules.size, position.rules.leaves, asked.table)
            return room.find(position, position.to_act, asked, 3)

    assert found(kernel().start()) == found(kernel().in_python()) == found(kernel().in_python(checked=True))


@settings(max_examples=40, deadline=None)
@given(drawn(6), wanted())
def test_leaving_branches_out_changes_no_value(position: TouralityPosition, asked: Parameters) -> None:
    """Against a search that leaves out nothing."""
    asked = replace(asked, depth=3)
    if position.to_act == OVER:
        return
    search = PlainSearch(position, position.to_act, asked)

    def whole(state: State, ply: int) -> int:
        if ply == asked.depth or not state.leaves:
            return search.estimate(state)
        values = [child.gain + whole(child.state, ply + 1) for child in search.children(state, ply)]
        return max(values) if ply % 2 == 0 else min(values)

    assert search.find(1).value == whole(search.root, 0)


@settings(max_examples=40, deadline=None)
@given(drawn(6))
def test_lines_are_legal(position: TouralityPosition) -> None:
    if position.to_act == OVER:
        return
    by_direction = {step.direction: step for step in (*STEPS, PASS)}
    for direction in find(position, position.to_act, REFERENCE, 11).line:
        if position.to_act == OVER:  # patience may end a sweep, of which the search knows nothing
            break
        position = position.play(by_direction[direction])


def worth(rows: tuple[str, ...], text: str) -> int:
    rules = open_source("tourality", "world\n" + "".join(f"{row}\n" for row in rows))
    start = rules.start()
    assert isinstance(start, TouralityPosition)
    return find(start, 0, read_parameters(text), 1).value


NOTHING = dict.fromkeys(WEIGHTS, 0)


@pytest.mark.parametrize(
    ("row", "numbers", "expected"),
    [
        ("a.o#b", {"depth": 3, "path": 1, "bonus": 0}, 15),  # at its second step: 18 - 3
        ("a.o#b", {"depth": 3, "path": 1, "bonus": 2, "cost": 1}, 15 + 2 * 2 - 2 * 1),
        ("a.o#b", {"depth": 1, "own": 5}, 0),
        ("a.o#b", {"depth": 3, "own": 5}, 5),
        ("a...o#b", {"depth": 1, "nearest": -4}, -4 * 3),
        ("a.....o#b", {"depth": 1, "nearest": -4, "range": 2}, -4 * 3),  # one more than the range
        ("a.o.o#b", {"depth": 1, "surroundings": 1}, 3 + 1),  # 1 and 3 steps away of 3
        ("o#a.b.o", {"depth": 1, "distance": 1}, 1),
        ("a..o.b.o", {"depth": 1, "territory": 1}, -1),  # one is as near to both, the other nearer to b
        ("oa.#bo", {"depth": 3, "other": -7, "own": 1}, 1 - 7),
    ],
)
def test_what_lines_are_worth(row: str, numbers: dict[str, int], expected: int) -> None:
    asked = Parameters(**(NOTHING | numbers))
    assert worth((row, "#" * len(row)), str(asked)) == expected  # a world has two rows


def test_every_number_counts() -> None:
    """A parameter that changes nothing anywhere was forgotten."""
    worlds = (
        ("a.o..o", ".#..o.", "o...#.", "..o..b"),
        ("o.....", ".a..o.", "o.b...", "oo...."),
        ("oa.#bo", "######"),
    )
    base = dict.fromkeys(WEIGHTS, 3) | {"depth": 3, "other_path": -5, "other": -5, "near": 2}

    def worths(numbers: dict[str, int]) -> list[int]:
        return [worth(rows, str(Parameters(**numbers))) for rows in worlds]

    changing = {
        name
        for name, value in product(RANGES.keys() - {"plan", "table"}, (1, 5, 7))
        if worths(base | {name: value}) != worths(base)
    }
    assert changing == RANGES.keys() - {"plan", "table"}
