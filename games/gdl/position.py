"""A moment of a described game: a state, and how far its turn has come.

The seats that choose do so one after another, sealed, then chance draws the events that their moves name (or makes the
move of the role `random`), and with the last of them the next state follows. Where a description says what seats see,
a position keeps what each of them has done and perceived; a view has one seat's memories and nothing else.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from games.gdl.reasoner import Joint, State
from games.gdl.staging import in_order
from games.gdl.terms import Term, text
from games.gdl.words import fact
from games.protocol import (
    CHANCE,
    LONGEST_MOVE,
    OVER,
    Event,
    Grid,
    IllegalMoveError,
    Move,
    Position,
    Seat,
    check_world,
)
from kernels.turns import Turns

if TYPE_CHECKING:
    from games.gdl.game import GdlGame
    from games.gdl.turns import Turn

FULL_POINTS: Final = 100
HIDDEN: Final = "hidden"
"""What a seat reads of a move that it does not see."""


@dataclass(frozen=True, slots=True)
class GdlMove:
    """A move or an event, as the description writes it."""

    term: Term

    def __str__(self) -> str:
        return text(self.term)


class Memory(NamedTuple):
    """What a seat did in a turn, and what it perceived then."""

    did: Term
    saw: tuple[Term, ...]


class Glimpse(NamedTuple):
    """What a seat knows of the moment where it does not know the state."""

    seat: Seat
    acts: Seat
    """CHANCE or OVER; any other number if somebody chooses."""
    acting: tuple[Seat, ...]
    legal: tuple[Term, ...]
    points: tuple[int, ...]
    """Empty before the end."""


class _Moment(NamedTuple):
    game: "GdlGame"
    state: State
    sealed: tuple[Term | None, ...]
    """What each seat has chosen in this turn."""
    dice: tuple[Term, ...] = ()
    """The events that chance has drawn in this turn."""
    memories: tuple[tuple[Memory, ...], ...] = ()
    """By seat, turn after turn, where seats know only what they perceive; empty in other games."""
    glimpse: Glimpse | None = None
    """In a view that lacks the state."""


class GdlPosition(_Moment, Position):
    """A position of any described game."""

    __slots__ = ()

    @property
    def to_act(self) -> Seat:
        if self.glimpse is not None:
            return self.glimpse.acting[0] if self.glimpse.acting else self.glimpse.acts
        turn = self._turn
        if turn.over:
            return OVER
        return next((seat for seat in turn.active if self.sealed[seat] is None), CHANCE)

    @property
    def acting(self) -> tuple[Seat, ...]:
        if self.glimpse is not None:
            return self.glimpse.acting
        return tuple([seat for seat in self._turn.active if self.sealed[seat] is None])

    def moves(self, seat: Seat | None = None) -> tuple[GdlMove, ...]:
        seat = self.to_act if seat is None else seat
        if seat not in self.acting:
            return ()
        if self.glimpse is not None:
            return tuple(map(GdlMove, self.glimpse.legal)) if seat == self.glimpse.seat else ()
        return tuple(map(GdlMove, self._turn.legal[seat]))

    def outcomes(self) -> tuple[tuple[GdlMove, int], ...]:
        if self.glimpse is not None or self.to_act != CHANCE:
            return ()
        if self._turn.chance:
            return tuple([(GdlMove(move), 1) for move in self._turn.chance])
        draw = self.game.table.draws(self.sealed)[len(self.dice)]
        return tuple([(GdlMove(event), weight) for event, weight in self._turn.weights[draw.name]])

    def play(self, move: Move) -> "GdlPosition":
        if self.glimpse is not None:
            raise IllegalMoveError("who sees only a part cannot tell what follows")
        chosen, chance = self._with(move)
        joint = chosen._joint(chance)
        return chosen if joint is None else chosen._following(joint)

    def scores(self) -> tuple[int, ...]:
        """The goals; where the description says none, or several, nothing."""
        if self.glimpse is not None:
            return self.glimpse.points or (0,) * len(self.sealed)
        return self.game.points(self.state)

    def winners(self) -> tuple[Seat, ...]:
        """Those with the most points, unless all have the same; everybody with all points there are.

        Nobody wins a game that is over only because somebody has no move and the description does not end it.
        """
        over = self.game.table.answers.is_terminal(self.state) if self.glimpse is None else self.glimpse.acts == OVER
        if not over:
            return ()
        scores = self.scores()
        best = max(scores)
        if best == min(scores) and best < FULL_POINTS:
            return ()
        return tuple([seat for seat, score in enumerate(scores) if score == best])

    def text(self) -> str:
        return self.game.written(self)

    # ------------------------------------------------------------------------------------- who may know what

    def view(self, seat: Seat) -> "GdlPosition":
        if self.glimpse is not None or not self.game.secrets:
            return self
        sealed = tuple([move if of == seat else None for of, move in enumerate(self.sealed)])
        if not self.game.table.hides:
            return self._replace(sealed=sealed)
        acts = self.to_act
        acting = tuple([each for each in self._turn.active if each != seat or sealed[seat] is None])
        glimpse = Glimpse(
            seat,
            acts=min(acts, 0),
            acting=acting if acts >= 0 else (),
            legal=self._turn.legal[seat] if seat in self.acting else (),
            points=self.scores() if acts == OVER else (),
        )
        memories = tuple([known if of == seat else () for of, known in enumerate(self.memories)])
        return GdlPosition(self.game, frozenset(), sealed, (), memories, glimpse)

    def seen(self, move: Move, seat: Seat) -> str:
        """Where seats know only what they perceive, chance ends a turn, and with its move they perceive."""
        acts = self.to_act
        if not self.game.table.hides or acts == seat:
            return str(move)
        if acts != CHANCE or self.glimpse is not None:
            return HIDDEN
        percepts = self.play(move).memories[seat][-1].saw
        return f"saw {' '.join(map(text, percepts)) or 'nothing'}"[:LONGEST_MOVE].strip()

    def worlds(self, seat: Seat) -> int:
        return 1 if self.glimpse is None else len(self._fitting(seat))

    def world(self, seat: Seat, number: int) -> "GdlPosition":
        check_world(number, self.worlds(seat))
        return self if self.glimpse is None else self._fitting(seat)[number]

    def quickened(self) -> "GdlPosition":
        self.game.table.answers.quicken(self.game.source)
        return self

    def turns(self) -> Turns | None:
        table = self.game.table
        network = table.answers.network
        plain = not table.draws_lots and not self.game.secrets and self.sealed.count(None) == len(self.sealed)
        return network.turns(self.state) if network is not None and plain and network.knows(self.state) else None

    def goals(self) -> tuple[float, ...]:
        """A description says itself what an end is worth."""
        return tuple([float(min(max(score, 0), FULL_POINTS)) for score in self.scores()])

    # ------------------------------------------------------------------------------- what a game may tell besides

    def events(self, move: Move, seat: Seat | None = None) -> tuple[Event, ...]:  # noqa: ARG002  # all is open on a grid
        told = self.game.staging.events
        if told is not None and self.glimpse is None:
            chosen, chance = self._with(move)
            joint = chosen._joint(chance)
            return () if joint is None else in_order(self.game.table.reasoner.told(told, self.state, joint))
        board = self.game.grid_of_cells
        if board is None or self.glimpse is not None:
            return ()
        return board.changes(self.state, self.play(move).state)

    def facts(self) -> tuple[str, ...]:
        seats = self.game.seats
        return (
            *sorted(map(fact, self.state)),
            *(fact(("sealed", seats[seat], move)) for seat, move in enumerate(self.sealed) if move is not None),
            *(fact(("drawn", str(number), event)) for number, event in enumerate(self.dice, start=1)),
            *map(fact, self._remembered()),
            *map(fact, self._glimpsed()),
        )

    def grid(self, seat: Seat | None = None) -> Grid | None:
        board = self.game.grid_of_cells
        if board is None or self.glimpse is not None:
            return None
        moves = () if seat is None else tuple([move.term for move in self.moves(seat)])
        return board.drawn(self.state, moves)

    # ------------------------------------------------------------------------------------------------- inside

    def _fitting(self, seat: Seat) -> "tuple[GdlPosition, ...]":
        from games.gdl.worlds import fitting  # which follows positions

        return fitting(self, seat)

    @property
    def _turn(self) -> "Turn":
        return self.game.table.turn(self.state)

    def _with(self, move: Move) -> "tuple[GdlPosition, Term | None]":
        """The same turn with one more choice or event, and what the role of chance does to end it."""
        acts = self.to_act
        if isinstance(move, GdlMove) and acts >= 0 and move.term in self._turn.legal[acts]:
            return self._replace(sealed=(*self.sealed[:acts], move.term, *self.sealed[acts + 1 :])), None
        if isinstance(move, GdlMove) and any(move == event for event, _ in self.outcomes()):
            if self._turn.chance:
                return self, move.term
            return self._replace(dice=(*self.dice, move.term)), None
        raise IllegalMoveError(f"{str(move)[:LONGEST_MOVE]} cannot be played in {self.text()[:LONGEST_MOVE]}")

    def _joint(self, chance: Term | None) -> Joint | None:
        """What everybody does in this turn; None while somebody has to choose or something has to be drawn."""
        table = self.game.table
        waiting = self.to_act != CHANCE or (self._turn.chance and chance is None)
        if waiting or len(self.dice) < len(table.draws(self.sealed)):
            return None
        return table.joint(self._turn, self.sealed, self.dice, chance)

    def _following(self, joint: Joint) -> "GdlPosition":
        table = self.game.table
        memories = self.memories
        if table.hides:
            saw = dict(zip(table.reasoner.roles, table.reasoner.seen(self.state, joint), strict=True))
            did = dict(zip(table.reasoner.roles, joint, strict=True))
            now = [Memory(did[role], saw[role]) for role in table.seats]
            memories = tuple([(*past, memory) for past, memory in zip(self.memories, now, strict=True)])
        after = table.answers.after(self.state, joint)
        return GdlPosition(self.game, after, (None,) * len(self.sealed), (), memories)

    def _remembered(self) -> Iterator[Term]:
        for seat, memories in enumerate(self.memories):
            name = self.game.seats[seat]
            for number, memory in enumerate(memories, start=1):
                yield ("did", name, str(number), memory.did)
                yield from [("saw", name, str(number), percept) for percept in memory.saw]

    def _glimpsed(self) -> Iterator[Term]:
        """What a view tells of the moment besides memories."""
        if self.glimpse is not None:
            seats = self.game.seats
            yield from [("may", seats[self.glimpse.seat], move) for move in self.glimpse.legal]
            yield from [("acts", seats[seat]) for seat in self.glimpse.acting]
            yield from [("points", seats[seat], str(points)) for seat, points in enumerate(self.glimpse.points)]
