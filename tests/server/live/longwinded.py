"""Longwinded: a kind of game for tests alone. Both seats act at once, but only one of them has a choice, in turns.

Its moves are as long as moves may be, with spaces, commas and parentheses, and it begins with a decision.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from games.protocol import (
    LONGEST_MOVE,
    OVER,
    Game,
    IllegalMoveError,
    Kind,
    Move,
    NotationError,
    Position,
    Seat,
    Section,
    Texts,
)

KEY: Final = "longwinded"
TURNS: Final = 4


@dataclass(frozen=True, slots=True)
class Said:
    text: str

    def __str__(self) -> str:
        return self.text


NOOP: Final = Said("noop")
SPEECHES: Final = tuple(Said(f"(say {word}, (and, so on {'x' * 300}"[: LONGEST_MOVE - 2] + "))") for word in "ab")
KNOWN: Final = {str(move): move for move in (NOOP, *SPEECHES)}


class _Speeches(NamedTuple):
    said: tuple[int, ...] = ()
    half: int = -1
    """What the first seat has said in this turn; -1 before it has."""


class LongwindedPosition(_Speeches, Position):
    """The numbers of the speeches so far."""

    __slots__ = ()

    @property
    def to_act(self) -> Seat:
        return OVER if len(self.said) == TURNS else int(self.half >= 0)

    @property
    def acting(self) -> tuple[Seat, ...]:
        return () if self.to_act == OVER else (0, 1)[self.to_act :]

    @property
    def speaker(self) -> Seat:
        return len(self.said) % 2

    def moves(self, seat: Seat | None = None) -> tuple[Said, ...]:
        seat = self.to_act if seat is None else seat
        if seat not in self.acting:
            return ()
        return SPEECHES if seat == self.speaker else (NOOP,)

    def play(self, move: Move) -> "LongwindedPosition":
        if move not in self.moves():
            raise IllegalMoveError(f"{str(move)[:20]} cannot be played here")
        number = SPEECHES.index(move) if move in SPEECHES else 0
        if self.to_act == 0:
            return LongwindedPosition(self.said, number)
        return LongwindedPosition((*self.said, self.half + number), -1)

    def scores(self) -> tuple[int, ...]:
        return (sum(self.said[::2]), sum(self.said[1::2]))

    def winners(self) -> tuple[Seat, ...]:
        return () if self.to_act != OVER else tuple(s for s in (0, 1) if self.scores()[s] == max(self.scores()))

    def text(self) -> str:
        return f"{','.join(map(str, self.said))}|{self.half}"


@dataclass(frozen=True, slots=True)
class Longwinded(Game):
    kind: ClassVar[str] = KEY

    @property
    def reference(self) -> str:
        return f"{KEY}:standard"

    @property
    def seats(self) -> tuple[str, ...]:
        return ("a", "b")

    def start(self) -> LongwindedPosition:
        return LongwindedPosition()

    def position(self, text: str) -> LongwindedPosition:
        said, _, half = text.partition("|")
        return LongwindedPosition(tuple(map(int, said.split(","))) if said else (), int(half))

    def move(self, text: str) -> Said:
        if text not in KNOWN:
            raise NotationError(f"a move is noop or a speech, not {text[:20]!r}")
        return KNOWN[text]

    def texts(self, language: str) -> Texts:  # noqa: ARG002  # nobody reads them
        return Texts("Longwinded", "two seats", ("a", "b"), "Speak.", (Section("Speaking", ("Speak.",)),))


class LongwindedKind(Kind):
    key = KEY
    library: ClassVar[Mapping[str, str]] = {"standard": ""}

    def open(self, source: str) -> Longwinded:
        if source:
            raise NotationError("it has an empty source")
        return Longwinded()


KIND: Final = LongwindedKind()
