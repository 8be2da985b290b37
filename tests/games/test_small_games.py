"""Tic-tac-toe and Ten: known counts and rules, which show that the protocol carries more than Jostle."""

from collections import Counter

import pytest

from games.jostle import JOSTLE
from games.protocol import OVER, Game, NotationError, Position
from games.ten import TEN, Card, Choice
from games.tic_tac_toe import TIC_TAC_TOE

# Sequences of 0, 1, 2 … moves; different positions; finished games: the well-known numbers.
TIC_TAC_TOE_SEQUENCES = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
TIC_TAC_TOE_POSITIONS = 5478
TIC_TAC_TOE_GAMES = 255168


def test_tic_tac_toe_has_the_known_numbers_of_sequences_positions_and_games() -> None:
    level: Counter[Position] = Counter({TIC_TAC_TOE.start(): 1})
    sequences, positions, games = [], 0, 0
    while level:
        sequences.append(level.total())
        positions += len(level)
        games += sum(count for position, count in level.items() if position.to_act == OVER)
        after: Counter[Position] = Counter()
        for position, count in level.items():
            for move in position.moves():
                after[position.play(move)] += count
        level = after
    assert sequences == TIC_TAC_TOE_SEQUENCES
    assert positions == TIC_TAC_TOE_POSITIONS
    assert games == TIC_TAC_TOE_GAMES


@pytest.mark.parametrize("text", ["xxx/ooo/...", "xx./.../...", "o../.../...", "xxx/oo./o..", "x.o/.x.", "x.o/.y./..."])
def test_tic_tac_toe_refuses_positions_that_no_game_reaches(text: str) -> None:
    with pytest.raises(NotationError):
        TIC_TAC_TOE.position(text)


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        *((TIC_TAC_TOE, text) for text in ("a4", "d1", "a0", "A1")),
        *((TEN, text) for text in ("0", "5", "-1")),
        *((JOSTLE, text) for text in ("0", "7", "p9", "p01", "P1")),
    ],
    ids=lambda value: value if isinstance(value, str) else value.kind,
)
def test_moves_that_are_nearly_right_are_refused(rules: Game, text: str) -> None:
    with pytest.raises(NotationError):
        rules.move(text)


def test_ten_draws_without_replacement() -> None:
    position = TEN.start().play(Choice.DRAW)
    assert position.outcomes() == ((Card(1), 1), (Card(2), 2), (Card(3), 3), (Card(4), 4))
    position = position.play(Card(1)).play(Choice.DRAW)
    assert position.outcomes() == ((Card(2), 2), (Card(3), 3), (Card(4), 4))
    assert position.play(Card(4)).play(Choice.DRAW).outcomes() == ((Card(2), 2), (Card(3), 3), (Card(4), 3))


def test_ten_puts_out_who_draws_too_much_and_lets_the_other_go_on() -> None:
    position = TEN.position("1,2,3,1 9/3 a+").play(Card(4))
    assert position.text() == "1,2,3,0 13!/3 b"
    assert position.play(Choice.DRAW).play(Card(3)).text() == "1,2,2,0 13!/6 b"
    end = position.play(Choice.STOP)
    assert (end.scores(), end.winners()) == ((0, 3), (1,))


@pytest.mark.parametrize(
    ("text", "winners"),
    [("1,1,2,2 6!/7! -", (1,)), ("1,2,3,0 8!/8! -", (0, 1)), ("1,2,0,0 14!/11! -", ()), ("1,2,3,4 0!/0! -", (0, 1))],
)
def test_ten_is_won_by_the_higher_sum(text: str, winners: tuple[int, ...]) -> None:
    assert TEN.position(text).winners() == winners


@pytest.mark.parametrize(
    "text", ["1,2,3,4 1/0 a", "2,2,3,4 0/0 a", "1,2,3,4 0/0 -", "1,2,3,4 0!/0 a", "1,2,3,1 12/0 b"]
)
def test_ten_refuses_positions_that_no_game_reaches(text: str) -> None:
    with pytest.raises(NotationError):
        TEN.position(text)
