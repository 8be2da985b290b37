"""Diggers: a kind of game for tests alone. It has what no game of the library has.

Three seats dig at the same time, twice; whoever waits in the first beat is out. Chance hides treasures in more ways
than eight bytes can count, and gives each seat a secret of its own; moves are written with spaces, commas and
parentheses; whoever is late waits.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from games.protocol import (
    CHANCE,
    OVER,
    Event,
    Game,
    IllegalMoveError,
    Kind,
    Late,
    Move,
    NotationError,
    Position,
    Seat,
    Section,
    Tempo,
    Texts,
    check_number,
    check_world,
)
from games.references import by_content

KEY: Final = "diggers"
SEATS: Final = ("a", "b", "c")
SECRETS: Final = 4
FIELDS: Final = 1 << 66
BEATS: Final = 2
HIDDEN: Final = -1
OPEN: Final = ""
OUT: Final = "-"


@dataclass(frozen=True, slots=True)
class Act:
    """What a seat does, as a term."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class World:
    """A secret per seat, and the field with its treasures, one bit each."""

    secrets: tuple[int, ...]
    field: int

    def __str__(self) -> str:
        return f"(world {' '.join(map(str, self.secrets))}, (field {self.field}))"


DIGS: Final = tuple(Act(f"(dig (at {row}, {column}))") for row in (1, 2) for column in (1, 2))
WAIT: Final = Act("(wait)")
ACTS: Final = {str(act): act for act in (*DIGS, WAIT)}


class _Ground(NamedTuple):
    secrets: tuple[int, ...] = ()
    field: int = HIDDEN
    beats: tuple[tuple[str, ...], ...] = ()
    """What each seat did, beat by beat: OPEN where it has not chosen, OUT where it does not act any more."""


class DiggersPosition(_Ground, Position):
    """Who knows what, and who has dug where."""

    __slots__ = ()

    @property
    def to_act(self) -> Seat:
        if not self.secrets:
            return CHANCE
        return next(iter(self.acting), OVER)

    @property
    def acting(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, act in enumerate(self.beats[-1]) if act == OPEN) if self.beats else ()

    def moves(self, seat: Seat | None = None) -> tuple[Act, ...]:
        return (*DIGS, WAIT) if (self.to_act if seat is None else seat) in self.acting else ()

    @property
    def ways(self) -> int:
        return SECRETS ** len(SEATS) * FIELDS if self.to_act == CHANCE else 0

    def drawn(self, number: int) -> World:
        check_number(number, self.ways)
        secrets = tuple(number // FIELDS // SECRETS**seat % SECRETS for seat in range(len(SEATS)))
        return World(secrets, number % FIELDS)

    def play(self, move: Move) -> "DiggersPosition":
        if isinstance(move, World) and self.to_act == CHANCE:
            return DiggersPosition(move.secrets, move.field, ((OPEN,) * len(SEATS),))
        if not isinstance(move, Act) or self.to_act < 0:
            raise IllegalMoveError(f"{move} cannot be played in {self.text()}")
        *before, now = self.beats
        beat = (*now[: self.to_act], str(move), *now[self.to_act + 1 :])
        beats = (*before, beat)
        following = tuple(OUT if act in (OUT, str(WAIT)) else OPEN for act in beat)
        if OPEN not in beat and OPEN in following and len(beats) < BEATS:
            beats = (*beats, following)
        return self._replace(beats=beats)

    def scores(self) -> tuple[int, ...]:
        if self.to_act != OVER:
            return (0,) * len(SEATS)
        return tuple(sum(self._found(seat, beat[seat]) for beat in self.beats) for seat in range(len(SEATS)))

    def winners(self) -> tuple[Seat, ...]:
        scores = self.scores()
        return tuple(seat for seat, score in enumerate(scores) if score == max(scores) > 0)

    def text(self) -> str:
        return json.dumps([self.secrets, self.field, self.beats])

    def view(self, seat: Seat) -> "DiggersPosition":
        """One's own secret, and what oneself does in a beat that is not over; all the rest when the game is."""
        if self.to_act < 0:
            return self
        *before, now = self.beats
        if OPEN in now:
            now = tuple(act if each == seat or act == OUT else OPEN for each, act in enumerate(now))
        secrets = tuple(secret if each == seat else HIDDEN for each, secret in enumerate(self.secrets))
        return DiggersPosition(secrets, HIDDEN, (*before, now))

    def seen(self, move: Move, seat: Seat) -> str:
        if not isinstance(move, World):
            return str(move)
        secrets = (str(secret) if each == seat else "?" for each, secret in enumerate(move.secrets))
        return f"(world {' '.join(secrets)}, (field ?))"

    def worlds(self, seat: Seat) -> int:  # noqa: ARG002  # whatever is hidden is hidden from the seat that looks
        """Everybody else's secret and the field, once the world is drawn and while it is hidden."""
        return SECRETS ** self.secrets.count(HIDDEN) * FIELDS if self.field == HIDDEN and self.secrets else 1

    def world(self, seat: Seat, number: int) -> "DiggersPosition":
        check_world(number, self.worlds(seat))
        if self.worlds(seat) == 1:
            return self
        rest, field = divmod(number, FIELDS)
        secrets = list(self.secrets)
        for other in range(len(SEATS)):
            if secrets[other] == HIDDEN:
                rest, secrets[other] = divmod(rest, SECRETS)
        return self._replace(secrets=tuple(secrets), field=field)

    def default(self, seat: Seat) -> Act:  # noqa: ARG002  # whoever is late
        return WAIT

    def events(self, move: Move, seat: Seat | None = None) -> tuple[Event, ...]:
        if isinstance(move, World):
            return tuple(
                Event("tell", str(secret), "", SEATS[each])
                for each, secret in enumerate(move.secrets)
                if seat in (None, each)
            )
        return (Event("act", SEATS[self.to_act], "", str(move)),)

    def facts(self) -> tuple[str, ...]:
        secrets = [f"secret({SEATS[seat]},{each})" for seat, each in enumerate(self.secrets) if each != HIDDEN]
        field = [f"field({self.field})"] if self.field != HIDDEN else []
        done = [
            f"done({beat},{SEATS[seat]},{_term(act)})"
            for beat, acts in enumerate(self.beats)
            for seat, act in enumerate(acts)
        ]
        return (*secrets, *field, *done) if self.secrets else ("undrawn",)

    def _found(self, seat: Seat, act: str) -> int:
        if act not in ACTS or ACTS[act] is WAIT:
            return 0
        return self.field >> (self.secrets[seat] + DIGS.index(ACTS[act])) & 1


def _term(act: str) -> str:
    return {OPEN: "open", OUT: "out", str(WAIT): "wait"}.get(act, f"dig{act[9:-2].replace(' ', '').join('()')}")


@dataclass(frozen=True, slots=True)
class Diggers(Game):
    """The game itself; its source is any word, which becomes its title."""

    word: str = "diggers"

    kind: ClassVar[str] = KEY
    secrets: ClassVar[bool] = True

    @property
    def reference(self) -> str:
        return by_content(KEY, self.word)

    @property
    def seats(self) -> tuple[str, ...]:
        return SEATS

    @property
    def source(self) -> str:
        return self.word

    @property
    def tempo(self) -> Tempo:
        return Tempo(clock_ms=3000, late=Late.DEFAULT)

    def start(self) -> DiggersPosition:
        return DiggersPosition()

    def position(self, text: str) -> DiggersPosition:
        try:
            secrets, field, beats = json.loads(text)
            position = DiggersPosition(tuple(secrets), field, tuple(tuple(beat) for beat in beats))
        except (ValueError, TypeError, RecursionError):
            raise NotationError(f"a position is a list of secrets, field and beats, not {text[:40]!r}") from None
        if position.text() != text:
            raise NotationError(f"no game leads to {text[:200]}")
        return position

    def move(self, text: str) -> Act | World:
        if text in ACTS:
            return ACTS[text]
        words = text.removeprefix("(world ").removesuffix("))").replace(", (field ", " ").split(" ")
        if len(words) == len(SEATS) + 1 and all(word.isascii() and word.isdigit() for word in words):
            *secrets, field = map(int, words)
            world = World(tuple(secrets), field)
            if str(world) == text and max(secrets) < SECRETS and field < FIELDS:
                return world
        raise NotationError(f"a move is one of {', '.join(ACTS)} or a world, not {text[:40]!r}")

    def texts(self, language: str) -> Texts:  # noqa: ARG002  # nobody reads them
        return Texts(self.word, "three seats", SEATS, "Dig.", (Section("Digging", ("Dig or wait.",)),))


class DiggersKind(Kind):
    key = KEY
    library: ClassVar[Mapping[str, str]] = {}

    def open(self, source: str) -> Diggers:
        if not source.isalpha():
            raise NotationError(f"a source of diggers is a word, not {source[:40]!r}")
        return Diggers(source)


KIND: Final = DiggersKind()
DIGGERS: Final = Diggers()
