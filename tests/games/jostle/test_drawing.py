"""Pictures of positions: well-formed, complete, and nothing on top of anything else."""

from itertools import combinations
from math import dist
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from games.jostle import LAYOUTS, JostlePosition, Layout, read_position
from games.jostle.drawing import SEAT_COLOURS, draw_svg, mix
from games.jostle.geometry import FIELD_RADIUS, geometry
from games.jostle.terminal import draw_text
from games.jostle.words import in_words, what_is_awaited
from tests.games.jostle.boards import any_board, layouts, to_move

SVG = "{http://www.w3.org/2000/svg}"
BUSY = "4,14,-1/26,9,-1/3,30,19 r 4"


@given(layouts())
@settings(max_examples=150, deadline=None)
def test_fields_lie_beside_each_other_and_inside_the_board(layout: Layout) -> None:
    board = geometry(layout)
    assert len(board.fields) == layout.fields
    for point in board.fields:
        assert FIELD_RADIUS < point.x < board.width - FIELD_RADIUS
        assert FIELD_RADIUS < point.y < board.height - FIELD_RADIUS
    for (i, a), (j, b) in combinations(enumerate(board.fields), 2):
        assert dist(a, b) > 2 * FIELD_RADIUS, f"fields {i} and {j} overlap"
    for field in range(1, layout.first_goal):
        assert dist(board.fields[field - 1], board.fields[field]) < 1.05, "neighbours on the track are neighbours"


def test_stacks_and_fields_do_not_overlap() -> None:
    for layout in LAYOUTS.values():
        board = geometry(layout)
        assert all(dist(stack, field) > 0.9 for stack in board.stacks for field in board.fields)


@given(to_move(any_board))
@settings(max_examples=60, deadline=None)
def test_every_position_is_drawn_as_well_formed_svg_that_needs_nothing_else(position: JostlePosition) -> None:
    text = draw_svg(position)
    picture = ElementTree.fromstring(text)  # noqa: S314  # our own text
    assert picture.tag == f"{SVG}svg"
    assert picture.find(f"{SVG}desc") is not None
    assert text.count("http") == 1, "the name space only"


def test_seats_differ_in_colour_and_shape() -> None:
    picture = ElementTree.fromstring(draw_svg(read_position(BUSY)))  # noqa: S314  # our own text
    shapes = {
        colour: {element.tag.removeprefix(SVG) for element in picture.iter() if element.get("fill") == colour}
        for colour in SEAT_COLOURS
    }
    assert list(shapes.values()) == [{"circle"}, {"path"}, {"rect"}]


def test_all_nine_pieces_are_in_the_picture() -> None:
    picture = ElementTree.fromstring(draw_svg(read_position(BUSY)))  # noqa: S314  # our own text
    labels = [
        element.text for element in picture.iter(f"{SVG}text") if element.get("class") == "piece" and element.text
    ]
    assert sorted(labels) == ["1"] * 3 + ["2"] * 3 + ["3"] * 3


def test_signs_are_written_and_not_only_coloured() -> None:
    text = draw_svg(read_position(BUSY))
    assert text.count("−3<") == 3
    assert text.count(">START<") == 1


def test_colours_are_mixed() -> None:
    assert mix("#ffffff", "#000000", 0.5) == "#808080"


def test_the_terminal_shows_every_field_and_piece() -> None:
    text = draw_text(read_position(BUSY))
    for piece in ("●0", "●1", "●2", "▲3", "▲4", "▲5", "■6", "■7", "■8"):
        assert text.count(piece) == 1
    for label in ("0 START", "6⇄14", "14⇄6", "13⇄18", "18⇄13", "10 -3", "22 -3", "23 -3", "26 *1", "30 *5"):
        assert label in text
    assert "> ● red" in text
    assert "\x1b" not in text
    assert "\x1b" in draw_text(read_position(BUSY), colour=True)


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("4,-1,-1/1,-1,-1/3,-1,-1 r", "red to roll"),
        ("4,-1,-1/1,-1,-1/3,-1,-1 g 6?", "green rolled a six: once more?"),
        ("4,-1,-1/1,-1,-1/3,-1,-1 b 6+", "blue to roll once more"),
        ("4,-1,-1/1,-1,-1/3,-1,-1 b !2 11", "blue to move by 11, last round, 2 to go"),
        ("26,29,-1/28,27,4/30,25,-1 -", "red and green and blue won"),
    ],
)
def test_what_is_awaited_is_told_in_words(position: str, words: str) -> None:
    assert what_is_awaited(read_position(position)) == words


def test_a_position_can_be_read_aloud() -> None:
    assert in_words(read_position("0,26,-1/1,-1,-1/3,-1,-1 r 4")) == (
        "red: START, goal 1, stack; green: field 1, stack, stack; blue: field 3, stack, stack. "
        "Points: red 1, green 0, blue 0. Red to move by 4."
    )
