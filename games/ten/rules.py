"""Ten: a card game whose chance depends on the state, because cards are drawn without replacement.

The deck holds one 1, two 2s, three 3s and four 4s. Two seats act in turn: draw a card or stop. Whoever stops keeps the
sum of the cards; whoever comes above ten is out with nothing. When both have stopped, the higher sum wins; equal sums
share the win, and if both are out nobody wins.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Final, NamedTuple

from games.protocol import CHANCE, OVER, Game, IllegalMoveError, Move, NotationError, OnlyGame, Position, Seat, Texts
from games.texts import texts_beside

KEY: Final = "ten"

SEATS: Final = ("a", "b")
RANKS: Final = (1, 2, 3, 4)
LIMIT: Final = 10
_CARDS: Final = sum(rank * rank for rank in RANKS)
_POSITION: Final = re.compile(
    rf"(?P<deck>\d(?:,\d){{{len(RANKS) - 1}}}) (?P<a>\d{{1,2}})(?P<a_stopped>!?)/(?P<b>\d{{1,2}})(?P<b_stopped>!?)"
    r" (?P<seat>[ab-])(?P<drawing>\+?)",
    re.ASCII,
)


class Choice(Enum):
    """What a seat may do."""

    DRAW = "draw"
    STOP = "stop"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Card:
    """What chance may draw."""

    rank: int

    def __str__(self) -> str:
        return str(self.rank)


CARDS: Final = tuple(Card(rank) for rank in RANKS)
TenMove = Choice | Card
_BY_TEXT: Final[dict[str, TenMove]] = {str(move): move for move in (*Choice, *CARDS)}


class _Table(NamedTuple):
    deck: tuple[int, ...] = RANKS
    sums: tuple[int, int] = (0, 0)
    stopped: tuple[bool, bool] = (False, False)
    seat: Seat = 0
    drawing: bool = False


class TenPosition(_Table, Position):
    """How many cards of each rank are left, each seat's sum, who has stopped, and whether a card is being drawn."""

    __slots__ = ()

    @property
    def to_act(self) -> Seat:
        return CHANCE if self.drawing else self.seat

    def moves(self, seat: Seat | None = None) -> tuple[TenMove, ...]:
        return (Choice.DRAW, Choice.STOP) if self.to_act >= 0 and seat in (None, self.to_act) else ()

    def outcomes(self) -> tuple[tuple[TenMove, int], ...]:
        if not self.drawing:
            return ()
        return tuple((card, left) for card, left in zip(CARDS, self.deck, strict=True) if left)

    def play(self, move: Move) -> "TenPosition":
        if self.drawing and isinstance(move, Card) and self.deck[move.rank - 1]:
            return self._take(move.rank)
        if self.to_act >= 0 and move is Choice.DRAW:
            return self._replace(drawing=True)
        if self.to_act >= 0 and move is Choice.STOP:
            return self._next(self.deck, self.sums, stops=True)
        raise IllegalMoveError(f"{move} cannot be played in {self.text()}")

    def scores(self) -> tuple[int, ...]:
        return tuple(total if total <= LIMIT else 0 for total in self.sums)

    def winners(self) -> tuple[Seat, ...]:
        scores = self.scores()
        best = max(scores)
        if self.to_act != OVER or all(total > LIMIT for total in self.sums):
            return ()
        return tuple(seat for seat, score in enumerate(scores) if score == best and self.sums[seat] <= LIMIT)

    def text(self) -> str:
        sums = "/".join(f"{total}{'!' * stopped}" for total, stopped in zip(self.sums, self.stopped, strict=True))
        seat = "-" if self.seat == OVER else SEATS[self.seat]
        return f"{','.join(map(str, self.deck))} {sums} {seat}{'+' * self.drawing}"

    def facts(self) -> tuple[str, ...]:
        left = [f"left({rank},{number})" for rank, number in zip(RANKS, self.deck, strict=True)]
        sums = [f"sum({seat},{total})" for seat, total in zip(SEATS, self.sums, strict=True)]
        stopped = [f"stopped({seat})" for seat, done in zip(SEATS, self.stopped, strict=True) if done]
        control = () if self.seat == OVER else (f"{'draws' if self.drawing else 'control'}({SEATS[self.seat]})",)
        return (*left, *sums, *stopped, *control)

    def _take(self, rank: int) -> "TenPosition":
        deck = tuple(left - (rank == each) for each, left in zip(RANKS, self.deck, strict=True))
        first, second = (total + rank * (seat == self.seat) for seat, total in enumerate(self.sums))
        return self._next(deck, (first, second), stops=(first, second)[self.seat] > LIMIT)

    def _next(self, deck: tuple[int, ...], sums: tuple[int, int], stops: bool) -> "TenPosition":
        first, second = (done or (stops and seat == self.seat) for seat, done in enumerate(self.stopped))
        other = 1 - self.seat
        seat = OVER if first and second else self.seat if (first, second)[other] else other
        return TenPosition(deck, sums, (first, second), seat)


@dataclass(frozen=True, slots=True)
class Ten(Game):
    """The game itself."""

    kind: ClassVar[str] = KEY
    cheap: ClassVar[bool] = True

    @property
    def reference(self) -> str:
        return f"{KEY}:standard"

    @property
    def seats(self) -> tuple[str, ...]:
        return SEATS

    def start(self) -> TenPosition:
        return TenPosition()

    def position(self, text: str) -> TenPosition:
        found = _POSITION.fullmatch(text)
        if found is None:
            raise NotationError(f"a position looks like 1,2,3,4 0/0 a, not {text[:40]!r}")
        seat = OVER if found["seat"] == "-" else SEATS.index(found["seat"])
        position = TenPosition(
            deck=tuple(map(int, found["deck"].split(","))),
            sums=(int(found["a"]), int(found["b"])),
            stopped=(bool(found["a_stopped"]), bool(found["b_stopped"])),
            seat=seat,
            drawing=bool(found["drawing"]),
        )
        if position.text() != text or not _makes_sense(position):
            raise NotationError(f"no game leads to {text}")
        return position

    def move(self, text: str) -> TenMove:
        try:
            return _BY_TEXT[text]
        except KeyError:
            raise NotationError(f"a move is draw, stop, or a card 1 to 4, not {text[:40]!r}") from None

    def texts(self, language: str) -> Texts:
        return texts_beside(__package__, language)


def _makes_sense(position: TenPosition) -> bool:
    in_deck = sum(rank * left for rank, left in zip(RANKS, position.deck, strict=True))
    return (
        all(left <= most for left, most in zip(position.deck, RANKS, strict=True))
        and in_deck + sum(position.sums) == _CARDS
        and all(done or total <= LIMIT for total, done in zip(position.sums, position.stopped, strict=True))
        and (position.seat == OVER) == all(position.stopped)
        and (position.seat == OVER or not position.stopped[position.seat])
        and not (position.drawing and position.seat == OVER)
    )


TEN: Final = Ten()


KIND: Final = OnlyGame(KEY, TEN)
