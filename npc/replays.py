"""For pages that look back at a match: its frames, the frames of a book, and whether its dice were fair."""

from collections.abc import Iterable
from typing import Any, TypedDict

from games.book import read_book
from games.book import replay as replay_book
from games.dice import verify
from games.protocol import Game, Move, Position
from games.registry import game as find_game
from npc.shown import EventText, Shown, shown, told_events


class Moment(TypedDict):
    """A position as a board shows it."""

    position: str
    shown: Shown


class Frame(Moment):
    """One move, chance included: who made it (-1: chance), what it did, and the position it led to."""

    ply: int
    move: str
    seat: int
    events: list[EventText]


class MatchShown(TypedDict):
    """A whole match, open to everybody: `setup` is what the game's board has to know once, if anything."""

    game: str
    seats: list[str]
    setup: Any
    start: Moment
    frames: list[Frame]


class DiceChecked(TypedDict):
    """`ply` is the first die that is not what the seed gives."""

    fair: bool
    dice: int
    ply: int | None
    reason: str


def of_moves(game: str, moves: list[str]) -> MatchShown:
    """A match from the texts of its moves. Raises GameError."""
    rules = find_game(game)
    return of_game(rules, (rules.move(text) for text in moves))


def of_book(text: str) -> MatchShown:
    """The match of a game play book. Raises BookError, which names the line."""
    done = replay_book(read_book(text))
    return of_game(done.game, done.moves)


def check_dice(game: str, seed: str, commitment: str, moves: list[str]) -> DiceChecked:
    """Draws every die of a match again. Raises GameError."""
    found = verify(find_game(game), seed, commitment, moves)
    return {"fair": found.fair, "dice": found.dice, "ply": found.ply, "reason": found.reason}


def of_game(game: Game, moves: Iterable[Move]) -> MatchShown:
    """The match that the moves are from the start on. Raises GameError."""
    position = game.start()
    return {
        "game": game.reference,
        "seats": list(game.seats),
        "setup": game.setup(),
        "start": _moment(game, position),
        "frames": list(_frames(game, position, moves)),
    }


def _frames(game: Game, position: Position, moves: Iterable[Move]) -> Iterable[Frame]:
    for ply, move in enumerate(moves):
        before, position = position, position.play(move)
        yield {
            "ply": ply,
            "move": str(move),
            "seat": before.to_act,
            "events": told_events(before.events(move)),
            **_moment(game, position),
        }


def _moment(game: Game, position: Position) -> Moment:
    return {"position": position.text(), "shown": shown(game, position, None)}
