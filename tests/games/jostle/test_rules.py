"""The rules of Jostle 2007, one example each, in the order in which the rules are told."""

import pytest

from games.jostle import (
    AGAIN,
    JOSTLE,
    KEEP,
    PASS,
    STANDARD,
    JostleGame,
    JostlePosition,
    Layout,
    Piece,
    Roll,
    StepKind,
    effects,
    read_position,
)
from games.protocol import CHANCE, OVER, IllegalMoveError


def after(text: str, piece: int, layout: Layout = STANDARD) -> str:
    """The pieces after a move, as in a position's text."""
    return read_position(text, layout).play(Piece(piece)).text().split()[0]


def roll(position: JostlePosition, *pips: int) -> JostlePosition:
    for each in pips:
        position = position.play(Roll(each))
        if position.phase.name == "DECIDE":
            position = position.play(AGAIN if len(pips) > 1 else KEEP)
    return position


# Board


def test_the_track_has_31_fields_with_start_and_five_goals() -> None:
    assert (STANDARD.fields, STANDARD.last) == (31, 30)
    assert STANDARD.tiles[0] == "start"
    assert [STANDARD.worth[field] for field in range(26, 31)] == [1, 2, 3, 4, 5]
    assert not any(STANDARD.worth[field] for field in range(-1, 26))


@pytest.mark.parametrize(("source", "points", "end"), [(4, 2, 14), (12, 2, 6), (12, 1, 18), (16, 2, 13)])
def test_a_switch_carries_to_its_twin_in_both_directions(source: int, points: int, end: int) -> None:
    assert after(f"{source},-1,-1/-1,-1,-1/-1,-1,-1 r {points}", 0) == f"{end},-1,-1/-1,-1,-1/-1,-1,-1"


@pytest.mark.parametrize(("field", "end"), [(10, 7), (22, 19), (23, 20)])
def test_minus_three_carries_three_fields_back(field: int, end: int) -> None:
    assert after(f"{field - 1},-1,-1/-1,-1,-1/-1,-1,-1 r 1", 0) == f"{end},-1,-1/-1,-1,-1/-1,-1,-1"


def test_only_switches_and_minus_three_are_special() -> None:
    assert STANDARD.special == {6, 10, 13, 14, 18, 22, 23}


# Players


def test_red_green_and_blue_act_in_turn() -> None:
    position = JOSTLE.start()
    seats = []
    for piece in (0, 3, 6, 1):
        seats.append(JOSTLE.seats[position.seat])
        position = roll(position, 1).play(Piece(piece))
    assert seats == ["r", "g", "b", "r"]


def test_all_pieces_start_on_their_stacks() -> None:
    assert JOSTLE.start().pieces == (-1,) * 9


@pytest.mark.parametrize(("seat", "own"), [("r", (0, 1, 2)), ("g", (3, 4, 5)), ("b", (6, 7, 8))])
def test_each_seat_moves_its_own_three_pieces(seat: str, own: tuple[int, ...]) -> None:
    position = read_position(f"-1,-1,-1/-1,-1,-1/-1,-1,-1 {seat} 3")
    assert position.moves() == tuple(Piece(piece) for piece in own)
    for piece in set(range(9)) - set(own):
        with pytest.raises(IllegalMoveError, match=f"piece {piece} does not belong to {seat}"):
            position.play(Piece(piece))


# A turn


def test_a_die_of_six_equal_faces_is_rolled_first() -> None:
    assert JOSTLE.start().to_act == CHANCE
    assert JOSTLE.start().outcomes() == tuple((Roll(pips), 1) for pips in range(1, 7))


def test_after_a_six_the_player_may_roll_once_more_and_moves_by_the_sum() -> None:
    position = JOSTLE.start().play(Roll(6))
    assert (position.to_act, position.moves()) == (0, (AGAIN, KEEP))
    position = position.play(AGAIN)
    assert (position.to_act, position.points) == (CHANCE, 0)
    assert position.play(Roll(3)).play(Piece(0)).pieces[0] == 8


def test_the_second_roll_can_be_declined() -> None:
    assert JOSTLE.start().play(Roll(6)).play(KEEP).play(Piece(0)).pieces[0] == 5


def test_there_is_no_third_roll() -> None:
    position = JOSTLE.start().play(Roll(6)).play(AGAIN).play(Roll(6))
    assert position.points == 12
    assert position.moves() == (Piece(0), Piece(1), Piece(2))


@pytest.mark.parametrize("pips", range(1, 6))
def test_there_is_no_second_roll_without_a_six(pips: int) -> None:
    with pytest.raises(IllegalMoveError, match="the seat moves one of its pieces"):
        JOSTLE.start().play(Roll(pips)).play(AGAIN)


def test_the_second_roll_is_decided_before_a_piece_is_chosen() -> None:
    with pytest.raises(IllegalMoveError, match="again and keep"):
        JOSTLE.start().play(Roll(6)).play(Piece(0))


def test_a_roll_of_one_enters_on_start() -> None:
    assert roll(JOSTLE.start(), 1).play(Piece(2)).pieces == (-1, -1, 0, -1, -1, -1, -1, -1, -1)


def test_a_piece_moves_by_all_the_points() -> None:
    assert after("3,-1,-1/-1,-1,-1/-1,-1,-1 r 5", 0) == "8,-1,-1/-1,-1,-1/-1,-1,-1"


def test_a_piece_on_a_goal_stays_there() -> None:
    position = read_position("26,-1,-1/-1,-1,-1/-1,-1,-1 r 2")
    assert position.moves() == (Piece(1), Piece(2))
    with pytest.raises(IllegalMoveError, match="piece 0 stands on the goal 26"):
        position.play(Piece(0))


def test_a_piece_may_reach_field_30_but_not_pass_it() -> None:
    assert after("25,-1,-1/-1,-1,-1/-1,-1,-1 r 5", 0) == "30,-1,-1/-1,-1,-1/-1,-1,-1"
    with pytest.raises(IllegalMoveError, match="piece 0 stands on 25 and would pass field 30 with 6"):
        read_position("25,-1,-1/-1,-1,-1/-1,-1,-1 r 6").play(Piece(0))


def test_a_player_without_a_movable_piece_passes() -> None:
    position = read_position("26,27,25/-1,-1,-1/-1,-1,-1 r 6")
    assert position.moves() == (PASS,)
    assert position.play(PASS).text() == "26,27,25/-1,-1,-1/-1,-1,-1 g"


def test_a_player_with_a_movable_piece_must_not_pass() -> None:
    with pytest.raises(IllegalMoveError, match="must not pass"):
        read_position("26,27,25/-1,-1,-1/-1,-1,-1 r 5").play(PASS)


# What a move does


def test_a_piece_that_is_landed_on_goes_to_the_first_free_field_below() -> None:
    assert after("2,-1,-1/5,-1,-1/4,-1,-1 r 3", 0) == "5,-1,-1/3,-1,-1/4,-1,-1"


def test_own_pieces_are_displaced_too() -> None:
    assert after("2,5,-1/-1,-1,-1/-1,-1,-1 r 3", 0) == "5,4,-1/-1,-1,-1/-1,-1,-1"


def test_the_field_that_the_mover_left_is_free() -> None:
    assert after("4,-1,-1/5,-1,-1/-1,-1,-1 r 1", 0) == "5,-1,-1/4,-1,-1/-1,-1,-1"


def test_whoever_stands_where_the_mover_is_carried_to_is_displaced() -> None:
    """Piece 3 leaves 7 and passes over the switch on 6, because MINUS THREE has been used."""
    assert after("8,-1,-1/7,-1,-1/-1,-1,-1 r 2", 0) == "7,-1,-1/5,-1,-1/-1,-1,-1"


def test_no_second_special_effect_follows_the_first() -> None:
    board = Layout("back to a switch", fields=31, goals=(1,), switches=((6, 14),), minus_three=(9,))
    assert after("8,-1,-1/-1,-1,-1/-1,-1,-1 r 1", 0, board) == "6,-1,-1/-1,-1,-1/-1,-1,-1"


def test_a_piece_that_stood_on_a_switch_is_displaced_although_the_mover_is_carried_on() -> None:
    assert after("4,-1,-1/6,-1,-1/14,-1,-1 r 2", 0) == "14,-1,-1/5,-1,-1/12,-1,-1"


def test_pieces_are_jostled_in_the_order_in_which_they_were_displaced() -> None:
    """Piece 3 on 18 is displaced before piece 6 on 13; both fall below 13, and piece 3 finds the nearer place."""
    assert after("12,15,16/18,17,-1/13,-1,-1 r 6", 0) == "13,15,16/12,17,-1/11,-1,-1"


def test_special_fields_count_as_occupied_once_one_has_been_used() -> None:
    """Landing on 22 and going back to 19 displaces piece 3, which passes over the free switch on 18."""
    assert after("21,-1,-1/19,-1,-1/-1,-1,-1 r 1", 0) == "19,-1,-1/17,-1,-1/-1,-1,-1"


def test_a_free_special_field_stops_a_jostled_piece_and_acts_on_it() -> None:
    assert after("5,-1,-1/7,-1,-1/-1,-1,-1 r 2", 0) == "7,-1,-1/14,-1,-1/-1,-1,-1"
    assert after("8,-1,-1/11,-1,-1/-1,-1,-1 r 3", 0) == "11,-1,-1/7,-1,-1/-1,-1,-1"


def test_a_jostled_piece_that_is_carried_displaces_another_one() -> None:
    """Piece 3 is jostled onto 6 and carried to 14; piece 6 leaves 14 and passes over 13, which counts as occupied."""
    position = read_position("5,-1,-1/7,-1,-1/14,-1,-1 r 2")
    assert position.play(Piece(0)).pieces == (7, -1, -1, 14, -1, -1, 12, -1, -1)
    assert [(step.kind, step.piece, step.source, step.target, step.displaced) for step in effects(position, 0)] == [
        (StepKind.MOVE, 0, 5, 7, 3),
        (StepKind.JOSTLE, 3, 7, 6, None),
        (StepKind.SWITCH, 3, 6, 14, 6),
        (StepKind.JOSTLE, 6, 14, 12, None),
    ]


def test_an_occupied_special_field_is_passed_over_without_effect() -> None:
    assert after("4,-1,-1/7,-1,-1/6,-1,-1 r 3", 0) == "7,-1,-1/5,-1,-1/6,-1,-1"


def test_a_special_field_can_be_used_again_in_the_next_turn() -> None:
    position = read_position("5,-1,-1/4,-1,-1/-1,-1,-1 r 1").play(Piece(0))
    assert position.pieces[0] == 14
    assert roll(position, 2).play(Piece(3)).pieces[3] == 14


def test_a_jostled_piece_may_rest_on_start() -> None:
    assert after("-1,-1,-1/1,-1,-1/-1,-1,-1 r 2", 0) == "1,-1,-1/0,-1,-1/-1,-1,-1"


def test_a_jostled_piece_without_a_place_goes_back_to_its_stack() -> None:
    assert after("-1,0,-1/1,-1,-1/-1,-1,-1 r 2", 2) == "-1,0,1/-1,-1,-1/-1,-1,-1"
    assert after("-1,-1,-1/0,-1,-1/-1,-1,-1 r 1", 0) == "0,-1,-1/-1,-1,-1/-1,-1,-1"


def test_a_piece_can_be_jostled_out_of_a_goal() -> None:
    assert after("24,-1,-1/26,-1,-1/-1,-1,-1 r 2", 0) == "26,-1,-1/25,-1,-1/-1,-1,-1"


def test_a_piece_that_is_jostled_out_of_a_goal_may_rest_on_a_lower_goal() -> None:
    assert after("24,-1,-1/28,-1,-1/27,-1,-1 r 4", 0) == "28,-1,-1/26,-1,-1/27,-1,-1"


# End and score


def test_the_last_round_begins_when_all_goals_are_occupied_at_the_end_of_a_turn() -> None:
    position = read_position("25,27,-1/28,29,-1/30,-1,-1 r 1").play(Piece(0))
    assert position.last_turns == 3
    assert position.text() == "26,27,-1/28,29,-1/30,-1,-1 g !3"


def test_in_the_last_round_every_player_has_one_more_turn_from_the_next_one_on() -> None:
    position = read_position("26,27,-1/28,25,-1/30,-1,-1 g 4").play(Piece(4))
    seats = []
    while position.to_act != OVER:
        seats.append(JOSTLE.seats[position.seat])
        position = roll(position, 1)
        position = position.play(position.moves()[0])
    assert seats == ["b", "r", "g"]


def test_passing_uses_up_a_turn_of_the_last_round() -> None:
    position = read_position("26,27,25/28,29,-1/30,-1,-1 r !1 6")
    assert position.play(PASS).to_act == OVER


def test_the_last_round_goes_on_even_if_a_goal_is_free_again() -> None:
    position = read_position("1,27,-1/28,29,-1/30,-1,-1 r !2 1")
    assert position.play(Piece(0)).text() == "2,27,-1/28,29,-1/30,-1,-1 g !1"


def test_the_score_is_the_sum_of_the_goals_that_the_pieces_stand_on() -> None:
    position = read_position("30,26,-1/28,29,4/27,25,-1 -")
    assert position.scores() == (6, 7, 2)


def test_the_highest_score_wins() -> None:
    assert read_position("30,26,-1/28,29,4/27,25,-1 -").winners() == (1,)


def test_equal_highest_scores_share_the_win() -> None:
    assert read_position("26,29,-1/28,27,4/30,25,-1 -").winners() == (0, 1, 2)
    assert read_position("30,26,-1/28,-1,4/27,29,-1 -").winners() == (0, 2)


def test_nobody_has_won_before_the_end() -> None:
    assert read_position("30,26,-1/28,-1,4/27,29,-1 r !1").winners() == ()


def test_other_boards_can_be_played() -> None:
    board = Layout("long", fields=40, goals=(7, 9))
    position = JostleGame(board).start().play(Roll(6)).play(AGAIN).play(Roll(6)).play(Piece(0))
    assert position.text() == "11,-1,-1/-1,-1,-1/-1,-1,-1 g"
