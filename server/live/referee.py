"""The rules at the table: what a seat's move leads to, dice included. Pure; knows neither clocks nor the database."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, cast

from games import dice
from games.jostle import JostleGame, JostlePosition, Piece, StepKind
from games.jostle import Step as JostleStep
from games.jostle.jostling import resolve
from games.protocol import CHANCE, Game, Move, Position, Seat
from server.live.wire import Step


class Progress(NamedTuple):
    """What follows from one move: seats and texts of all moves (dice included), and the new position with its texts."""

    seats: tuple[Seat, ...]
    texts: tuple[str, ...]
    position: Position
    text: str
    legal: tuple[str, ...]
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
        after = position.play(move)
        if position.to_act != CHANCE:
            steps += steps_of(game, position, move)
        position = after
    return _progress(seats, played, position, steps)


def _with_chance(
    position: Position, ply: int, seed: bytes, seats: list[Seat], texts: list[str], steps: list[Step]
) -> Progress:
    while position.to_act == CHANCE:
        drawn = dice.draw(seed, ply, position.outcomes())
        seats.append(CHANCE)
        texts.append(str(drawn))
        position = position.play(drawn)
        ply += 1
    return _progress(seats, texts, position, steps)


def _progress(seats: list[Seat], texts: Iterable[str], position: Position, steps: list[Step]) -> Progress:
    return Progress(tuple(seats), tuple(texts), position, position.text(), move_texts(position), steps)


def move_texts(position: Position) -> tuple[str, ...]:
    """The legal moves of the seat to act, as texts."""
    return tuple([str(move) for move in position.moves()])


def _jostle_steps(position: Position, move: Move) -> list[Step]:
    """`move` has been played already, so that it need not be checked again."""
    if not isinstance(move, Piece):
        return []
    before, made = cast("JostlePosition", position), list[JostleStep]()
    source = before.pieces[move.id]
    target = source + before.points
    if target not in before.pieces and before.layout.carry[target] == target:  # most moves just land
        return [(move.id, source, target, StepKind.MOVE.value)]
    resolve(before.layout, before.pieces, move.id, before.points, made)
    return [(step.piece, step.source, step.target, KINDS[step.kind]) for step in made]


KINDS: Final = {
    kind: kind.value for kind in StepKind
}  # asking the enumeration every time would cost more than the move


STEPS: Final[dict[type, Callable[[Position, Move], list[Step]]]] = {JostleGame: _jostle_steps}
"""Games that can tell how a move unfolds on the board."""


def steps_of(game: Game, position: Position, move: Move) -> list[Step]:
    tell = STEPS.get(type(game))
    return tell(position, move) if tell else []


def turns_left(position: Position) -> int | None:
    """Turns left of the last round in games that announce one."""
    return getattr(position, "last_turns", None)
