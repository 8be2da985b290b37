"""The rules at the table: what the seats' choices lead to, chance included. Pure; knows neither clocks nor the
database."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from games import dice
from games.protocol import CHANCE, Game, IllegalMoveError, Move, Position, Seat


class Choice(NamedTuple):
    """What a seat that acts may do: its legal moves, and the one that is made for it if it has no choice."""

    legal: tuple[str, ...]
    forced: str | None


Choices = Mapping[Seat, Choice]
"""Of the seats that act."""


class Progress(NamedTuple):
    """What was played in one go: seats and texts of all moves (chance included), and where they led."""

    seats: tuple[Seat, ...]
    texts: tuple[str, ...]
    position: Position
    text: str
    choices: Choices
    played: tuple[tuple[Position, Move], ...]
    """The moves, each with the position before it: what seats see of it depends on both."""


def begin(game: Game, seed: bytes) -> Progress:
    """Everything that happens before the first decision; nothing in games that begin with one."""
    return _with_chance(game.start(), 0, seed, [], [], [])


def play(
    game: Game, position: Position, choices: Choices, ply: int, chosen: Mapping[Seat, str], seed: bytes
) -> Progress:
    """The seats that act play what they have chosen; who has no choice plays what must be.

    Raises NotationError or IllegalMoveError.
    """
    seats: list[Seat] = []
    texts: list[str] = []
    played: list[tuple[Position, Move]] = []
    for seat, choice in choices.items():
        move: Move = game.move(chosen[seat] if choice.forced is None else choice.forced)
        played.append((position, move))
        position = position.play(move)
        seats.append(seat)
        texts.append(str(move))
    return _with_chance(position, ply + len(seats), seed, seats, texts, played)


def legal_text(game: Game, choice: Choice, text: str) -> str:
    """The text of a move that a seat may choose, without playing it. Raises NotationError or IllegalMoveError."""
    known = str(game.move(text))
    if known not in choice.legal:
        raise IllegalMoveError(f"{known} is none of the legal moves here")
    return known


def replay(game: Game, position: Position, texts: Iterable[str]) -> Progress:
    """The same for moves that another process has committed: nothing is drawn."""
    seats: list[Seat] = []
    played: list[tuple[Position, Move]] = []
    known = tuple(texts)
    for text in known:
        move = game.move(text)
        seats.append(position.to_act)
        played.append((position, move))
        position = position.play(move)
    return _progress(seats, known, position, played)


def _with_chance(
    position: Position, ply: int, seed: bytes, seats: list[Seat], texts: list[str], played: list[tuple[Position, Move]]
) -> Progress:
    while position.to_act == CHANCE:
        drawn = dice.draw(seed, ply, position)
        seats.append(CHANCE)
        texts.append(str(drawn))
        played.append((position, drawn))
        position = position.play(drawn)
        ply += 1
    return _progress(seats, texts, position, played)


def _progress(
    seats: Sequence[Seat], texts: Iterable[str], position: Position, played: Iterable[tuple[Position, Move]]
) -> Progress:
    return Progress(tuple(seats), tuple(texts), position, position.text(), choices_at(position), tuple(played))


def choices_at(position: Position) -> Choices:
    """What the seats that act may do, in ascending order of the seats."""
    return {seat: _choice(position, seat) for seat in position.acting}


def _choice(position: Position, seat: Seat) -> Choice:
    legal = tuple([str(move) for move in position.moves(seat)])
    forced = position.forced(seat) if len(legal) == 1 else None
    return Choice(legal, None if forced is None else str(forced))


def seen_by(game: Game, texts: Sequence[str], seat: Seat, since: int) -> list[str]:
    """What a seat reads of the moves from the first one on, beginning with the one at ply `since`."""
    if not game.secrets:
        return list(texts[since:])
    position: Position = game.start()
    seen = []
    for text in texts:
        move = game.move(text)
        seen.append(position.seen(move, seat))
        position = position.play(move)
    return seen[since:]
