"""What Jostle tells tables, boards and programs besides its rules."""

import pytest
from hypothesis import given, settings

from games.jostle import JOSTLE, LAYOUTS, PASS, JostleGame, JostlePosition, Layout, Piece, effects, read_position
from games.protocol import Event
from tests.games.jostle.boards import any_board, to_move


@given(to_move(any_board))
@settings(max_examples=200, deadline=None)
def test_events_are_the_steps_of_a_move(position: JostlePosition) -> None:
    for move in position.moves():
        steps = effects(position, move.id) if isinstance(move, Piece) else ()
        told = [Event(step.kind.value, str(step.piece), str(step.source), str(step.target)) for step in steps]
        assert list(position.events(move)) == told


@given(to_move(any_board))
@settings(max_examples=200, deadline=None)
def test_whoever_follows_the_events_has_the_next_position(position: JostlePosition) -> None:
    for move in position.moves():
        pieces = list(position.pieces)
        for event in position.events(move):
            assert pieces[int(event.piece)] == int(event.source)
            pieces[int(event.piece)] = int(event.target)
        assert tuple(pieces) == position.play(move).pieces


@pytest.mark.parametrize(
    ("text", "question", "forced"),
    [
        ("4,-1,-1/1,-1,-1/3,-1,-1 r 4", "choice", None),
        ("4,-1,-1/1,-1,-1/3,-1,-1 r 6?", "roll", None),
        ("26,27,25/1,-1,-1/3,-1,-1 r 5", "single", None),
        ("26,27,28/1,-1,-1/3,-1,-1 r 5", "single", PASS),
    ],
)
def test_only_a_pass_is_made_by_the_referee(text: str, question: str, forced: object) -> None:
    """Whoever has one movable piece takes it into the hand, as people do."""
    position = read_position(text)
    assert (position.question(0), position.forced(0)) == (question, forced)


@pytest.mark.parametrize(
    ("text", "piece", "thrown"),
    [
        ("4,-1,-1/1,-1,-1/3,-1,-1 r 4", 0, 0),
        ("4,-1,-1/8,-1,-1/3,-1,-1 r 4", 0, 1),
        ("4,8,-1/1,-1,-1/3,-1,-1 r 4", 0, 0),
        ("5,-1,-1/7,-1,-1/14,-1,-1 r 2", 0, 2),
    ],
    ids=["nobody", "green", "its own", "two"],
)
def test_captures_are_the_opponents_pieces_that_are_thrown_back(text: str, piece: int, thrown: int) -> None:
    assert read_position(text).captured(Piece(piece)) == thrown


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_the_setup_tells_the_whole_board(layout: Layout) -> None:
    told = JostleGame(layout).setup()
    assert told["fields"] == layout.fields
    assert dict(told["goals"]) == {field: layout.worth[field] for field in layout.goal_fields}
    carried = dict(told["switches"]) | {high: low for low, high in told["switches"]} | dict(told["backs"])
    assert carried == {field: layout.carry[field] for field in layout.special}


def test_boards_of_ones_own_are_told_apart_by_their_titles() -> None:
    assert JOSTLE.texts("en").title == "Jostle"
    assert JostleGame(LAYOUTS["sixth-goal"]).texts("de").title == "Jostle (sixth-goal)"
