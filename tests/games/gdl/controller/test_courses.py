"""Turns as managers tell them and rows of moves as our players follow them say the same."""

import random

import pytest

from games.gdl.controller.courses import Played, legal, perceived, played, told
from games.gdl.controller.messages import Joint, Perceived
from games.gdl.game import LIBRARY, GdlGame
from games.gdl.game import opened as open_description
from games.gdl.position import GdlMove, GdlPosition
from games.protocol import OVER, IllegalMoveError
from games.registry import game as find_game
from tests.games.gdl.sheets import COUNTING, TWO_RULES

OPEN = [name for name in LIBRARY if name != "one-card"]
MOST_TURNS = 12


def described(name: str) -> GdlGame:
    game = find_game(f"gdl:{name}")
    assert isinstance(game, GdlGame)
    return game


def random_turns(game: GdlGame, seed: str) -> list[tuple[GdlPosition, Played]]:
    rng, position = random.Random(seed), game.start()
    turns: list[tuple[GdlPosition, Played]] = []

    def draw(now: GdlPosition, _: int) -> GdlMove:
        move = now.drawn(rng.randrange(now.ways))
        assert isinstance(move, GdlMove)
        return move

    while position.to_act != OVER and len(turns) < MOST_TURNS:
        done = played(position, [rng.choice(moves) for moves in legal(position)], draw)
        turns.append((position, done))
        position = done.after
    return turns


@pytest.mark.parametrize("name", OPEN)
def test_the_moves_of_all_roles_tell_the_whole_turn(name: str) -> None:
    for position, done in random_turns(described(name), name):
        assert told(position, Joint(done.joint)) == done
        now = position
        for move in done.row:
            now = now.play(move)
        assert now == done.after


def test_chance_is_told_in_the_place_of_its_name() -> None:
    start = open_description(TWO_RULES).start()
    done = told(start, Joint((("try", "yes", "no"),)))
    assert [str(move) for move in done.row] == ["(try small large)", "yes", "no"]
    assert done.after.state == {("got", "yes", "no")}


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ((("say", "1"),), "2 roles move, and 1 moves are told"),
        ((("say", "2"), "noop"), r"white cannot play \(say 2\)"),
        ((("say", "1"), ("say", "1")), r"black cannot play"),
    ],
)
def test_what_cannot_have_been_is_refused(moves: tuple[tuple[str, ...] | str, ...], words: str) -> None:
    with pytest.raises(IllegalMoveError, match=words):
        told(open_description(COUNTING).start(), Joint(moves))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", range(6))
def test_a_course_that_fits_shows_the_seat_the_same(seat: int, seed: int) -> None:
    game = described("one-card")
    row: tuple[GdlMove, ...] = ()
    heard: list[Perceived] = []
    for _, done in random_turns(game, f"cards {seed}"):
        heard.append(Perceived(*done.after.memories[seat][-1]))
        row = perceived(game.start(), seat, row, heard)
        position = game.start()
        for move in row:
            position = position.play(move)
        assert position.view(seat) == done.after.view(seat)


def test_percepts_that_nothing_explains_are_refused() -> None:
    game = described("one-card")
    with pytest.raises(IllegalMoveError, match="nothing was found that explains"):
        perceived(game.start(), 0, (), [Perceived("noop", (("card", "1"), ("card", "2")))])
