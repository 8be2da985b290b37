"""The rules at the table: what a seat's move leads to, dice included. Pure; knows neither clocks nor the database."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, cast

from games import dice
from games.jostle import JostleGame, JostlePosition, Piece, effects
from games.protocol import CHANCE, Game, Move, Position, Seat
from server.live.wire import Step


class Progress(NamedTuple):
    """What follows from one move: the seats and texts of all moves (dice included) and the new position."""

    seats: tuple[Seat, ...]
    texts: tuple[str, ...]
    position: Position
    steps: list[Step]


def begin(game: Game, seed: bytes) -> Progress:
    """Everything that happens before the first decision."""
    return _with_chance(game.start(), 0, seed, [], [], [])


def play(game: Game, position: Position, ply: int, text: str, seed: bytes) -> Progress:
    """The seat to act plays `text`. Raises NotationError or IllegalMoveError."""
    move = game.move(text)
    after = position.play(move)
    return _with_chance(after, ply + 1, seed, [position.to_act], [text], steps_of(game, position, move))


def replay(game: Game, position: Position, texts: Iterable[str]) -> Progress:
    """The same for moves that another process has committed: nothing is drawn."""
    seats: list[Seat] = []
    steps: list[Step] = []
    played = tuple(texts)
    for text in played:
        move = game.move(text)
        seats.append(position.to_act)
        if position.to_act != CHANCE:
            steps += steps_of(game, position, move)
        position = position.play(move)
    return Progress(tuple(seats), played, position, steps)


def _with_chance(
    position: Position, ply: int, seed: bytes, seats: list[Seat], texts: list[str], steps: list[Step]
) -> Progress:
    while position.to_act == CHANCE:
        drawn = dice.draw(seed, ply, position.outcomes())
        seats.append(CHANCE)
        texts.append(str(drawn))
        position = position.play(drawn)
        ply += 1
    return Progress(tuple(seats), tuple(texts), position, steps)


def _jostle_steps(position: Position, move: Move) -> list[Step]:
    if not isinstance(move, Piece):
        return []
    made = effects(cast("JostlePosition", position), move.id)
    return [(step.piece, step.source, step.target, step.kind.value) for step in made]


STEPS: Final[dict[type, Callable[[Position, Move], list[Step]]]] = {JostleGame: _jostle_steps}
"""Games that can tell how a move unfolds on the board."""


def steps_of(game: Game, position: Position, move: Move) -> list[Step]:
    tell = STEPS.get(type(game))
    return tell(position, move) if tell else []


def turns_left(position: Position) -> int | None:
    """Turns left of the last round in games that announce one."""
    return getattr(position, "last_turns", None)
