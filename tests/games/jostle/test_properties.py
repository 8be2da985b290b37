"""What holds in every position of Jostle, whoever plays and whatever is rolled."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.jostle import (
    AGAIN,
    JOSTLE,
    KEEP,
    LAYOUTS,
    STANDARD,
    JostleGame,
    JostleMove,
    JostlePosition,
    Layout,
    Phase,
    Piece,
    Roll,
    StepKind,
    effects,
)
from games.protocol import OVER
from tests.games.jostle import oracle
from tests.games.jostle.boards import any_board, layouts, standard_board, to_move
from tests.games.playthrough import draw, play_out

SPECIAL = (StepKind.SWITCH, StepKind.BACK)


@given(to_move(any_board))
@settings(max_examples=300, deadline=None)
def test_the_referee_agrees_with_the_rules_told_a_second_time(position: JostlePosition) -> None:
    for move in position.moves():
        if isinstance(move, Piece):
            told = oracle.moved(position.layout, position.pieces, move.id, position.points)
            assert position.play(move).pieces == told


def test_the_referee_agrees_with_the_second_telling_in_twenty_thousand_crowded_positions() -> None:
    """Hypothesis likes simple positions; these have all pieces near each other, where chains are long."""
    rng = random.Random("crowded")
    chains = 0
    for _ in range(20_000):
        low = rng.randrange(-1, 20)
        fields = rng.sample(range(max(low, 0), low + 12), k=9)
        pieces = tuple(-1 if rng.random() < 0.1 else field for field in fields)
        mover, points = rng.randrange(9), rng.randint(1, 12)
        if STANDARD.reach[pieces[mover]] >= points:
            position = JostlePosition(STANDARD, pieces, mover // 3, Phase.MOVE, points, None)
            assert position.play(Piece(mover)).pieces == oracle.moved(STANDARD, pieces, mover, points)
            chains += len(effects(position, mover)) > 3
    assert chains > 1000


@given(to_move(any_board))
@settings(max_examples=200, deadline=None)
def test_there_are_nine_pieces_and_never_two_on_one_field(position: JostlePosition) -> None:
    for move in position.moves():
        pieces = position.play(move).pieces
        on_track = [place for place in pieces if place != -1]
        assert len(pieces) == 9
        assert len(set(on_track)) == len(on_track)
        assert all(0 <= place <= position.layout.last for place in on_track)


@given(to_move(any_board))
@settings(max_examples=200, deadline=None)
def test_at_most_one_special_effect_takes_place_in_a_turn(position: JostlePosition) -> None:
    for move in position.moves():
        if isinstance(move, Piece):
            assert sum(step.kind in SPECIAL for step in effects(position, move.id)) <= 1


@given(to_move(any_board))
@settings(max_examples=200, deadline=None)
def test_the_steps_of_a_move_lead_from_one_position_to_the_next(position: JostlePosition) -> None:
    for move in position.moves():
        if not isinstance(move, Piece):
            continue
        pieces = list(position.pieces)
        displaced: set[int] = set()
        for step in effects(position, move.id):
            assert step.source == pieces[step.piece]
            assert (step.kind is StepKind.JOSTLE) == (step.piece in displaced)
            displaced -= {step.piece}
            pieces[step.piece] = step.target
            if step.displaced is not None:
                assert pieces[step.displaced] == step.target
                displaced.add(step.displaced)
        assert not displaced
        assert tuple(pieces) == position.play(move).pieces


@given(to_move(standard_board))
@settings(max_examples=200, deadline=None)
def test_only_the_mover_goes_forward_unless_a_switch_helps(position: JostlePosition) -> None:
    for move in position.moves():
        if isinstance(move, Piece):
            for step in effects(position, move.id):
                assert step.target > step.source or step.kind is not StepKind.MOVE
                assert step.target < step.source or step.kind not in (StepKind.JOSTLE, StepKind.BACK)


@given(to_move(any_board))
@settings(max_examples=200, deadline=None)
def test_a_goal_once_occupied_stays_occupied(position: JostlePosition) -> None:
    """This is why games end: goals only fill up. (The rules speak of goals that become free; none can.)"""
    goals = position.layout.goal_fields
    for move in position.moves():
        assert goals.intersection(position.pieces) <= goals.intersection(position.play(move).pieces)


def turn(position: JostlePosition, target: int, piece: int) -> JostlePosition:
    """Lets the die fall so that the piece lands on the target."""
    points = target - position.pieces[piece]
    dice: list[JostleMove] = [Roll(points)] if points < 6 else [Roll(6), KEEP]
    if points > 6:
        dice = [Roll(6), AGAIN, Roll(points - 6)]
    for move in (*dice, Piece(piece)):
        position = position.play(move)
    return position


@given(to_move(standard_board))
@settings(max_examples=300, deadline=None)
def test_every_position_can_be_brought_to_its_end(position: JostlePosition) -> None:
    """The argument of docs/jostle.md for termination, carried out.

    With the right rolls each seat advances its front piece without disturbing anyone, and from field 18 on that piece
    reaches whichever goal is free.
    """
    position = position._replace(phase=Phase.ROLL, points=0)
    turns = 0
    while position.last_turns is None:
        turns += 1
        assert turns < 200
        own = range(3 * position.seat, 3 * position.seat + 3)
        movable = [piece for piece in own if position.pieces[piece] < STANDARD.first_goal]
        if not movable:
            position = position._replace(seat=(position.seat + 1) % 3)
            continue
        front = max(movable, key=lambda piece: position.pieces[piece])
        free = STANDARD.goal_fields - set(position.pieces)
        if position.pieces[front] >= 18:
            position = turn(position, max(free), front)
            continue
        reachable = range(position.pieces[front] + 1, min(position.pieces[front] + 12, 30) + 1)
        target = max(f for f in reachable if f not in position.pieces and f not in STANDARD.special)
        position = turn(position, target, front)
    for _ in range(3):
        position = position.play(Roll(1))
        position = position.play(position.moves()[0])
    assert position.to_act == OVER


def test_random_games_end() -> None:
    """300 games of each board; `play_out` fails beyond 20,000 moves, some fifty times the longest game seen."""
    for layout in LAYOUTS.values():
        for seed in range(300):
            assert play_out(JostleGame(layout), f"end {seed}")


@given(layouts(), st.integers())
@settings(max_examples=60, deadline=None)
def test_random_games_end_on_every_board_that_is_accepted(layout: Layout, seed: int) -> None:
    assert play_out(JostleGame(layout), f"{seed}")


@given(to_move(any_board))
@settings(max_examples=300, deadline=None)
def test_every_position_reads_back_from_its_text(position: JostlePosition) -> None:
    assert JostleGame(position.layout).position(position.text()) == position


def test_a_position_does_not_remember_how_it_came_about() -> None:
    """Equal positions from different games have the same moves, so that caches and searches may share them."""
    rng = random.Random(1)
    met: dict[str, JostlePosition] = {}
    for _ in range(30):
        position = JOSTLE.start()
        while position.to_act != OVER:
            twin = met.setdefault(position.text(), position)
            assert twin == position
            assert twin.moves() == position.moves()
            position = position.play(draw(position, rng))
