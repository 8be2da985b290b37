"""Described games at the table: equal to native ones, chance in two styles, secrets, boards."""

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from games.gdl.game import KIND, opened
from games.gdl.position import GdlPosition
from games.protocol import CHANCE, OVER, Event, GameError, NotationError, Position
from games.registry import game
from tests.games.gdl.sheets import COUNTING, TWO_RULES, solitaire


def to_mark(square: str) -> str:
    return f"(mark {'abc'.index(square[0]) + 1} {square[1]})"


def to_card(move: str) -> str:
    return "(draw card)" if move == "draw" else move


@pytest.mark.parametrize(
    ("native", "described", "translated", "seeds"),
    [("tic-tac-toe", "gdl:tic-tac-toe", to_mark, 30), ("ten", "gdl:ten", to_card, 60)],
)
def test_a_described_game_is_the_native_one(
    native: str, described: str, translated: Callable[[str], str], seeds: int
) -> None:
    for seed in range(seeds):
        rng = random.Random(seed)
        one, other = game(native).start(), game(described).start()
        while one.to_act != OVER:
            assert other.to_act == one.to_act
            assert {str(move) for move in other.moves()} == {translated(str(move)) for move in one.moves()}
            assert {(str(move), weight) for move, weight in other.outcomes()} == {
                (translated(str(move)), weight) for move, weight in one.outcomes()
            }
            move = rng.choice(one.moves() or [move for move, _ in one.outcomes()])
            one, other = one.play(move), other.play(game(described).move(translated(str(move))))
        assert other.to_act == OVER
        assert other.winners() == one.winners()


def test_seats_without_a_choice_do_not_act() -> None:
    position = opened(COUNTING).start()
    assert (position.acting, [str(move) for move in position.moves()]) == ((0,), ["(say 1)"])
    position = position.play(position.moves()[0])
    assert position.acting == (1,)
    assert position.text() == "(control black) (count 1)"


def probability_of_points(position: GdlPosition) -> Fraction:
    """How likely a position that only chance acts in ends with all points."""
    if position.to_act != CHANCE:
        return Fraction(position.scores()[0], 100)
    parts = [weight * probability_of_points(position.play(event)) for event, weight in position.outcomes()]
    return sum(parts, Fraction(0)) / position.ways


def test_two_independent_rules_of_chance_hold_as_often_as_they_should() -> None:
    rules = opened(TWO_RULES)
    tried = rules.start().play(rules.move("(try small large)"))
    assert probability_of_points(tried) == Fraction(775, 1000)
    waited = rules.start().play(rules.move("(wait here)"))
    assert waited.to_act == OVER


def test_events_are_drawn_one_after_another_and_stand_in_the_move() -> None:
    rules = opened(TWO_RULES)
    position = rules.start().play(rules.move("(try small large)"))
    assert [(str(move), weight) for move, weight in position.outcomes()] == [("no", 90), ("yes", 10)]
    position = position.play(rules.move("no"))
    assert position.text() == "ready / (sealed 0 (try small large)) (drawn no)"
    assert rules.position(position.text()) == position
    assert position.play(rules.move("yes")).text() == "(got no yes)"


def test_a_move_whose_events_cannot_happen_cannot_be_made() -> None:
    rules = opened(solitaire("(random luck 0 yes) (legal one (hope luck))"))
    assert [str(move) for move in rules.start().moves()] == ["(go on)"]


@pytest.mark.parametrize("weights", ["(random luck 1 yes) (random luck 2 yes)", "(random luck much yes)"])
def test_weights_that_mean_nothing_are_refused(weights: str) -> None:
    with pytest.raises(GameError, match=r"two weights|no whole number"):
        opened(solitaire(f"{weights} (legal one (hope luck))")).start().moves()


def test_seats_that_choose_at_once_do_not_see_each_other() -> None:
    rules = game("gdl:bids")
    start = rules.start()
    assert start.acting == (0, 1)
    sealed = start.play(rules.move("(bid 4)"))
    assert "(sealed 0 (bid 4))" in sealed.text()
    assert sealed.view(1) == start.view(1)
    assert sealed.view(0).text() == sealed.text()
    assert "(points left 1)" in sealed.play(rules.move("(bid 2)")).text()


def dealt(cards: str) -> Position:
    rules = game("gdl:one-card")
    position: Position = rules.start().play(rules.move(f"(deal {cards})"))
    return position


def test_nobody_learns_of_a_hidden_card_what_it_does_not_see() -> None:
    one, other = dealt("3 1"), dealt("3 5")
    assert one.view(0) == other.view(0)
    assert one.view(1) != other.view(1)
    assert "holds" not in one.view(0).text()
    assert one.view(0).facts() == (
        "did(first,1,noop)",
        "saw(first,1,card(3))",
        "may(first,bet)",
        "may(first,check)",
        "acts(first)",
    )
    rules = game("gdl:one-card")
    for text in ("bet", "noop", "fold", "noop"):
        one, other = one.play(rules.move(text)), other.play(rules.move(text))
        assert one.view(0) == other.view(0)
    assert one.scores() == (75, 25)


def test_the_cards_are_shown_to_both_when_a_bet_is_called() -> None:
    rules, position = game("gdl:one-card"), dealt("3 5")
    for text in ("bet", "noop", "call"):
        position = position.play(rules.move(text))
    told = position.seen(rules.move("noop"), 0)
    assert told == "saw (says second call) (shows first 3) (shows second 5)"
    assert position.play(rules.move("noop")).winners() == (1,)


def test_a_board_is_recognised_with_pieces_moves_and_captures() -> None:
    rules = game("gdl:breakthrough-small")
    position = rules.position("(cell 1 5 black) (cell 2 2 white) (cell 3 3 black) (control white)")
    grid = position.grid(0)
    assert grid is not None
    assert (grid.columns, grid.rows) == (5, 5)
    assert grid.pieces[:2] == (("a5", "black", 1), ("b2", "white", 0))
    assert ("(move 2 2 3 3)", "b2", "c3") in grid.moves
    taking = position.events(rules.move("(move 2 2 3 3)"))
    assert taking == (Event("take", "black", "c3", ""), Event("move", "white", "b2", "c3"))


def test_a_disc_falls_to_the_lowest_free_cell() -> None:
    rules = game("gdl:connect-four")
    position = rules.start().play(rules.move("(drop 3)"))
    assert position.grid(1).moves[2] == ("(drop 3)", "", "c2")


def test_comments_tell_what_a_game_is_called() -> None:
    rules = opened(COUNTING)
    assert (rules.texts("en").title, rules.texts("de").title, rules.texts("fr").title) == (
        "Counting",
        "Zählen",
        "Counting",
    )
    assert rules.texts("de").seats == ("white", "black")
    assert opened(TWO_RULES).texts("en").title == "A described game"


@pytest.mark.parametrize(
    "text", ["", "(cell 1 1", "(cell 1 1 q)", "(chair 1 1 x)", "(cell 1 1 ?x)", "/ (view 0 0 (acting) (may) (points))"]
)
def test_positions_that_no_game_has_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        game("gdl:tic-tac-toe").position(text)


@pytest.mark.parametrize("number", [0, 5])
def test_more_roles_than_seats_are_refused(number: int) -> None:
    roles = " ".join(f"(role r{each})" for each in range(number)) or "(<= (role x) (no x))"
    with pytest.raises(GameError, match="can play"):
        KIND.open(f"{roles} (legal r0 (go on)) terminal (init a)")


def test_roles_and_moves_may_follow_from_rules() -> None:
    rules = opened(
        "(name ann) (name bob) (<= (role ?x) (name ?x)) (init on) terminal"
        "(<= (legal ?p ?m) (role ?p) (can ?m)) (can sit) (can run)"
    )
    assert rules.seats == ("ann", "bob")
    assert rules.start().to_act == OVER
