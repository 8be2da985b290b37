"""Boards are data: they are read from JSON, and those that make no sense are refused with the reason."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.jostle import LAYOUTS, STANDARD, JostleGame, Layout, LayoutError, Piece, read_layout, write_layout
from games.registry import game

GOOD: dict[str, Any] = {"name": "mine", "fields": 31, "goals": [1, 2], "switches": [[6, 14]], "minus_three": [10]}


def test_the_standard_board_is_the_one_of_the_rules() -> None:
    assert Layout("standard", 31, (1, 2, 3, 4, 5), ((6, 14), (13, 18)), (10, 22, 23)) == STANDARD
    assert STANDARD.tiles == {
        **dict.fromkeys(range(-1, 31), "n"),
        0: "start",
        **dict.fromkeys((6, 14), "switch@1"),
        **dict.fromkeys((13, 18), "switch@2"),
        **dict.fromkeys((10, 22, 23), "back@3"),
        **{25 + points: f"goal@{points}" for points in range(1, 6)},
    }


def test_the_board_with_a_sixth_goal_has_32_fields_and_differs_in_nothing_else() -> None:
    board = LAYOUTS["sixth-goal"]
    assert (board.fields, board.last, board.worth[31]) == (32, 31, 6)
    assert {field: name for field, name in board.tiles.items() if field != 31} == STANDARD.tiles
    assert game("jostle:sixth-goal") == JostleGame(board)


def test_on_the_board_with_a_sixth_goal_the_last_round_waits_for_it() -> None:
    rules = JostleGame(LAYOUTS["sixth-goal"])
    full_but_one = rules.position("26,27,25/28,29,-1/30,-1,-1 r 1")
    assert rules.position("26,27,25/28,29,-1/30,-1,-1 r 6").play(Piece(2)).text().endswith("g !3")
    assert full_but_one.play(Piece(2)).text() == "25,27,26/28,29,-1/30,-1,-1 g"


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_layouts_read_back_from_their_text(layout: Layout) -> None:
    assert read_layout(write_layout(layout)) == layout
    assert hash(read_layout(write_layout(layout))) == hash(layout)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": ""}, "printable name"),
        ({"name": "a:b"}, "without quotes and colons"),
        ({"name": 3}, "name is a text, not 3"),
        ({"fields": 1}, "2 to 200 fields, not 1"),
        ({"fields": 10**9}, "2 to 200 fields"),
        ({"fields": 31.0}, "fields is a whole number, not 31.0"),
        ({"fields": True}, "fields is a whole number, not true"),
        ({"goals": []}, "has 1 to 9 goals, not 0"),
        ({"goals": [1] * 10}, "has 1 to 9 goals, not 10"),
        ({"goals": [1, 0]}, "worth at least one point, not 0"),
        ({"goals": {"30": 1}}, "goals is a list"),
        ({"switches": [[14, 6]]}, "lower field first, not 14 and 6"),
        ({"switches": [[6, 6]]}, "lower field first"),
        ({"switches": [[6, 14, 20]]}, "two fields, not 3"),
        ({"switches": [[0, 14]]}, "field 0 cannot be a switch: it is already START"),
        ({"switches": [[6, 30]]}, "field 30 cannot be a switch: it is already a goal"),
        ({"switches": [[6, 31]]}, "a switch on field 31 lies outside the track 0 to 30"),
        ({"switches": [[-1, 6]]}, "a switch on field -1 lies outside"),
        ({"switches": [[6, 14], [14, 20]]}, "field 14 cannot be a switch: it is already a switch"),
        ({"minus_three": [14]}, "field 14 cannot be MINUS THREE: it is already a switch"),
        ({"minus_three": [2]}, "MINUS THREE on field 2 would lead beyond START"),
        ({"minus_three": [11, 11]}, "already MINUS THREE"),
        ({"colour": "red"}, "a layout has no 'colour'"),
    ],
)
def test_a_layout_that_makes_no_sense_is_refused_with_the_reason(change: dict[str, Any], reason: str) -> None:
    read_layout(json.dumps(GOOD))
    with pytest.raises(LayoutError, match=reason):
        read_layout(json.dumps(GOOD | change))


@pytest.mark.parametrize("missing", ["name", "fields", "goals"])
def test_a_layout_needs_a_name_fields_and_goals(missing: str) -> None:
    with pytest.raises(LayoutError, match=f"lacks {missing}"):
        read_layout(json.dumps({key: value for key, value in GOOD.items() if key != missing}))


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 5000, '{"name": NaN}', "9" * 5000, " " * 30_000])
def test_what_is_no_layout_at_all_is_refused(text: str) -> None:
    with pytest.raises(LayoutError):
        read_layout(text)


@given(
    st.fixed_dictionaries(
        {"name": st.just("any"), "fields": st.integers(2, 60), "goals": st.lists(st.integers(1, 9), min_size=1)},
        optional={
            "switches": st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4),
            "minus_three": st.lists(st.integers(0, 60), max_size=6),
        },
    )
)
def test_every_description_gives_a_layout_or_a_reason(data: dict[str, Any]) -> None:
    try:
        layout = read_layout(json.dumps(data))
    except LayoutError as error:
        assert str(error)
    else:
        assert read_layout(write_layout(layout)) == layout
