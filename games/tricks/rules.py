"""Five tricks: twelve cards, five in each hand, seen by their owner alone; both lay one at the same time, five times.

The higher card takes the trick; the first is worth one point, the last five. The deal has 16,632 ways and is drawn by
its number instead of being listed.

A position's text gives both hands, the tricks so far (left-right), and a card that is laid but not yet opened:
`1,5,9,11/2,3,4,10 12-6 9~` says that left holds 1, 5, 9 and 11, of which 9 already lies there face down.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import ClassVar, Final, NamedTuple

from games.protocol import (
    CHANCE,
    FACTS,
    OVER,
    Event,
    Game,
    IllegalMoveError,
    Move,
    NotationError,
    OnlyGame,
    Position,
    Seat,
    Texts,
    check_number,
    check_world,
)
from games.texts import texts_beside

KEY: Final = "tricks"
SEATS: Final = ("left", "right")
CARDS: Final = tuple(range(1, 13))
HAND: Final = 5
HIDDEN: Final = 0
"""A card that whoever looks may not see."""

_HANDS: Final = comb(len(CARDS), HAND)
_REST: Final = comb(len(CARDS) - HAND, HAND)
_CARD = r"(?:[1-9]|1[0-2])"
_HAND = rf"{_CARD}(?:,{_CARD})*"
_HELD = rf"(?:-|{_HAND}|\?(?:,\?)*)"
_DEAL: Final = re.compile(rf"deal (?P<left>{_HAND})/(?P<right>{_HAND})", re.ASCII)
_POSITION: Final = re.compile(
    rf"(?P<left>{_HELD})/(?P<right>{_HELD}) (?P<tricks>-|{_CARD}-{_CARD}(?:,{_CARD}-{_CARD})*)(?: (?P<laid>{_CARD})~)?",
    re.ASCII,
)

Hand = tuple[int, ...]
Hands = tuple[Hand, Hand]


@dataclass(frozen=True, slots=True)
class Card:
    """The card that a seat lays."""

    rank: int

    def __str__(self) -> str:
        return str(self.rank)


@dataclass(frozen=True, slots=True)
class Deal:
    """What chance gives to both."""

    hands: Hands

    def __str__(self) -> str:
        return f"deal {_held(self.hands[0])}/{_held(self.hands[1])}"


TricksMove = Card | Deal
LAID: Final = tuple(Card(rank) for rank in CARDS)


class _Table(NamedTuple):
    hands: Hands = ((), ())
    tricks: tuple[tuple[int, int], ...] = ()
    laid: int | None = None
    """What left has laid while right has not chosen yet; it is still among left's cards."""


class TricksPosition(_Table, Position):
    """Two hands and the tricks that were played. Before the deal both are empty."""

    __slots__ = ()

    @property
    def to_act(self) -> Seat:
        if len(self.tricks) == HAND:
            return OVER
        if self.hands == ((), ()):
            return CHANCE
        return 0 if self.laid is None else 1

    @property
    def acting(self) -> tuple[Seat, ...]:
        return (0, 1)[self.to_act :] if self.to_act >= 0 else ()

    def moves(self, seat: Seat | None = None) -> tuple[Card, ...]:
        seat = self.to_act if seat is None else seat
        return tuple(LAID[rank - 1] for rank in self.hands[seat] if rank != HIDDEN) if seat in self.acting else ()

    @property
    def ways(self) -> int:
        return _HANDS * _REST if self.to_act == CHANCE else 0

    def drawn(self, number: int) -> Deal:
        check_number(number, self.ways)
        left = _hand_at(CARDS, number // _REST)
        return Deal((left, _hand_at(tuple(card for card in CARDS if card not in left), number % _REST)))

    def play(self, move: Move) -> "TricksPosition":
        if isinstance(move, Deal) and self.to_act == CHANCE:
            return TricksPosition(move.hands)
        if isinstance(move, Card) and self.to_act >= 0 and move.rank in self.hands[self.to_act]:
            if self.laid is None:
                return TricksPosition(self.hands, self.tricks, move.rank)
            left, right = _without(self.hands[0], self.laid), _without(self.hands[1], move.rank)
            return TricksPosition((left, right), (*self.tricks, (self.laid, move.rank)))
        raise IllegalMoveError(f"{move} cannot be played in {self.text()}")

    def scores(self) -> tuple[int, ...]:
        points = [0, 0]
        for worth, (left, right) in enumerate(self.tricks, start=1):
            points[left < right] += worth
        return tuple(points)

    def winners(self) -> tuple[Seat, ...]:
        """Fifteen points cannot be shared evenly, so there is always one."""
        left, right = self.scores()
        return (int(left < right),) if self.to_act == OVER else ()

    def text(self) -> str:
        tricks = ",".join(f"{left}-{right}" for left, right in self.tricks) or "-"
        laid = "" if self.laid is None else f" {self.laid}~"
        return f"{_held(self.hands[0])}/{_held(self.hands[1])} {tricks}{laid}"

    def view(self, seat: Seat) -> "TricksPosition":
        """Of the other's cards only their number, and of a trick in the making only what one has laid oneself."""
        hidden = (HIDDEN,) * len(self.hands[1 - seat])
        hands = (self.hands[0], hidden) if seat == 0 else (hidden, self.hands[1])
        return TricksPosition(hands, self.tricks, self.laid if seat == 0 else None)

    def seen(self, move: Move, seat: Seat) -> str:
        if not isinstance(move, Deal):
            return str(move)
        return f"deal {_held(move.hands[0])}/?" if seat == 0 else f"deal ?/{_held(move.hands[1])}"

    def worlds(self, seat: Seat) -> int:
        return comb(len(self._unseen(seat)), len(self.hands[1 - seat]))

    def world(self, seat: Seat, number: int) -> "TricksPosition":
        """The other's hand is any of the cards that the seat has not seen."""
        check_world(number, self.worlds(seat))
        other = _hand_at(self._unseen(seat), number, len(self.hands[1 - seat]))
        return self._replace(hands=(self.hands[0], other) if seat == 0 else (other, self.hands[1]))

    def _unseen(self, seat: Seat) -> Hand:
        seen = {*self.hands[seat], *(card for trick in self.tricks for card in trick)}
        return tuple(card for card in CARDS if card not in seen)

    def events(self, move: Move, seat: Seat | None = None) -> tuple[Event, ...]:
        if isinstance(move, Deal):
            dealt = [(owner, card) for owner in (0, 1) if seat in (None, owner) for card in move.hands[owner]]
            return tuple(Event("deal", str(card), "", SEATS[owner]) for owner, card in dealt)
        return (Event("lay", str(move), SEATS[self.to_act], "table"),)

    def facts(self) -> tuple[str, ...]:
        held = [f"holds({SEATS[seat]},{card})" for seat in (0, 1) for card in self.hands[seat] if card != HIDDEN]
        sizes = [f"cards({SEATS[seat]},{len(self.hands[seat])})" for seat in (0, 1)]
        tricks = [f"trick({n},{left},{right})" for n, (left, right) in enumerate(self.tricks, start=1)]
        laid = () if self.laid is None else (f"laid({SEATS[0]},{self.laid})",)
        return (*held, *sizes, *tricks, *laid)


@dataclass(frozen=True, slots=True)
class Tricks(Game):
    """The game itself."""

    kind: ClassVar[str] = KEY
    cheap: ClassVar[bool] = True
    board: ClassVar[str] = "tricks"
    drawn_from: ClassVar[str] = FACTS
    secrets: ClassVar[bool] = True

    @property
    def reference(self) -> str:
        return f"{KEY}:standard"

    @property
    def seats(self) -> tuple[str, ...]:
        return SEATS

    def start(self) -> TricksPosition:
        return TricksPosition()

    def position(self, text: str) -> TricksPosition:
        found = _POSITION.fullmatch(text)
        if found is None:
            raise NotationError(f"a position looks like 1,5,9/2,3,4 12-6,7-8 , not {text[:60]!r}")
        tricks = [] if found["tricks"] == "-" else [pair.split("-") for pair in found["tricks"].split(",")]
        position = TricksPosition(
            hands=(_cards(found["left"]), _cards(found["right"])),
            tricks=tuple((int(left), int(right)) for left, right in tricks),
            laid=None if found["laid"] is None else int(found["laid"]),
        )
        if position.text() != text or not _makes_sense(position):
            raise NotationError(f"no game leads to {text}")
        return position

    def move(self, text: str) -> TricksMove:
        found = _DEAL.fullmatch(text)
        if found is not None:
            hands = _cards(found["left"]), _cards(found["right"])
            if all(len(hand) == HAND for hand in hands) and _are_distinct((*hands[0], *hands[1])) and _sorted(hands):
                return Deal(hands)
        elif text in _BY_TEXT:
            return _BY_TEXT[text]
        raise NotationError(f"a move is a card 1 to 12, or a deal like deal 1,3,5,7,9/2,4,6,8,10 , not {text[:60]!r}")

    def texts(self, language: str) -> Texts:
        return texts_beside(__package__, language)


_BY_TEXT: Final = {str(card): card for card in LAID}


def _hand_at(cards: tuple[int, ...], number: int, size: int = HAND) -> Hand:
    """The hand at a place in the order of all hands of this size that these cards can make."""
    return next(islice(combinations(cards, size), number, None))


def _without(hand: Hand, card: int) -> Hand:
    return tuple(each for each in hand if each != card)


def _rank(card: int) -> str:
    return "?" if card == HIDDEN else str(card)


def _held(hand: Iterable[int]) -> str:
    return ",".join(map(_rank, hand)) or "-"


def _cards(text: str) -> Hand:
    return () if text == "-" else tuple(HIDDEN if card == "?" else int(card) for card in text.split(","))


def _are_distinct(cards: Iterable[int]) -> bool:
    known = [card for card in cards if card != HIDDEN]
    return len(set(known)) == len(known)


def _sorted(hands: Hands) -> bool:
    """Hands are written in ascending order."""
    return all(hand == tuple(sorted(hand)) for hand in hands)


def _makes_sense(position: TricksPosition) -> bool:
    left, right = position.hands
    shown = [card for trick in position.tricks for card in trick]
    dealt = bool(left or right or position.tricks)
    return (
        len(left) == len(right) == (HAND - len(position.tricks) if dealt else 0)
        and _sorted(position.hands)
        and _are_distinct((*left, *right, *shown))
        and (position.laid is None or position.laid in left)
    )


TRICKS: Final = Tricks()


KIND: Final = OnlyGame(KEY, TRICKS)
