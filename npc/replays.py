"""For pages that look back at a match: its frames, the frames of a book, and whether its dice were fair."""

from collections.abc import Iterable
from typing import TypedDict

from games.book import read_book
from games.book import replay as replay_book
from games.dice import verify
from games.jostle import JostleGame, Layout, Piece
from games.protocol import Game, GameError, Move
from games.registry import game as game_named
from npc.practice import Step, steps_of


class Frame(TypedDict):
    """One move, chance included: whose turn it was, what it did, and the position it led to."""

    ply: int
    move: str
    seat: int
    steps: list[Step]
    position: str


class Board(TypedDict):
    """A layout as the board draws it: goals with points, switch pairs, and fields that send back with where to."""

    fields: int
    goals: list[tuple[int, int]]
    switches: list[tuple[int, int]]
    backs: list[tuple[int, int]]


class Replay(TypedDict):
    layout: Board
    frames: list[Frame]


class DiceCheck(TypedDict):
    """`ply` is the first die that is not what the seed gives."""

    fair: bool
    dice: int
    ply: int | None
    reason: str


def of_moves(game: str, moves: list[str]) -> Replay:
    """The replay of a match from the texts of its moves. Raises GameError."""
    rules = jostle(game_named(game))
    return {"layout": board_of(rules.layout), "frames": frames(rules, (rules.move(text) for text in moves))}


def of_book(text: str) -> Replay:
    """The replay of a game play book. Raises BookError, which names the line."""
    done = replay_book(read_book(text))
    rules = jostle(done.game)
    return {"layout": board_of(rules.layout), "frames": frames(rules, done.moves)}


def check_dice(game: str, seed: str, commitment: str, moves: list[str]) -> DiceCheck:
    """Draws every die of a match again. Raises GameError."""
    verdict = verify(game_named(game), seed, commitment, moves)
    return {"fair": verdict.fair, "dice": verdict.dice, "ply": verdict.ply, "reason": verdict.reason}


def frames(game: JostleGame, moves: Iterable[Move]) -> list[Frame]:
    position = game.start()
    told: list[Frame] = []
    for ply, move in enumerate(moves):
        before, position = position, position.play(move)
        steps = steps_of(before, move) if isinstance(move, Piece) else []
        told.append({"ply": ply, "move": str(move), "seat": before.seat, "steps": steps, "position": position.text()})
    return told


def board_of(layout: Layout) -> Board:
    return {
        "fields": layout.fields,
        "goals": [(layout.first_goal + offset, points) for offset, points in enumerate(layout.goals)],
        "switches": list(layout.switches),
        "backs": [(source, layout.carry[source]) for source in layout.minus_three],
    }


def jostle(game: Game) -> JostleGame:
    if not isinstance(game, JostleGame):
        raise GameError(f"this board shows jostle, not {game.name}")
    return game
