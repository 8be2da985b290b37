"""What happens in a turn of a description, seen from the table: who has a choice, what chance has to do, what follows.

A seat whose only legal move is a word without arguments (`noop`) has nothing to choose and does not act, unless nobody
else does. The role `random` of GDL-II is no seat: chance makes its moves.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from games.gdl.answers import Answers
from games.gdl.checks import CHANCE_ROLE, chance_variables
from games.gdl.reasoner import SEES, Reasoner, State
from games.gdl.terms import Rule, Term, substitute_words
from games.protocol import GameError

MOST_SEATS: Final = 4
TURNS_KEPT: Final = 256
NOTHING: Final = "noop"
"""What chance does at the end of a turn of GDL-II in which it has nothing to do."""

Moves = tuple[Term, ...]


class Turn(NamedTuple):
    """What can happen in a state."""

    over: bool
    legal: tuple[Moves, ...]
    """By seat."""
    active: tuple[int, ...]
    """The seats that choose, in ascending order."""
    chance: Moves
    """What the role of chance may do, all equally likely; empty in games without GDL-II."""
    weights: Mapping[str, tuple[tuple[Term, int], ...]]
    """By chance variable: its events that can happen."""
    impossible: tuple[tuple[Term, str], ...] = ()
    """Legal moves that cannot be played, because of a chance variable none of whose events can happen."""


class Draw(NamedTuple):
    """A chance variable in the move of a seat, whose event is to be drawn."""

    seat: int
    name: str


class Table:
    """The rules of a description as a table with seats uses them. Raises GameError for more seats than can play."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.reasoner = Reasoner(rules)
        self.answers = Answers(self.reasoner)
        self.seats = tuple([role for role in self.reasoner.roles if role != CHANCE_ROLE])
        if not 1 <= len(self.seats) <= MOST_SEATS:
            raise GameError(f"one to {MOST_SEATS} can play, and the description has {len(self.seats)} roles")
        self.hides = any(rule.signature == SEES for rule in rules)
        """Whether seats know only what they perceive."""
        self.chance_moves = self.hides or CHANCE_ROLE in self.reasoner.roles
        self._variables = chance_variables(rules)
        self.draws_lots = self.chance_moves or bool(self._variables)
        """Whether chance ever acts."""
        self.turn = lru_cache(maxsize=TURNS_KEPT)(self._turn)

    def _turn(self, state: State) -> Turn:
        if self.answers.is_terminal(state):
            return Turn(over=True, legal=((),) * len(self.seats), active=(), chance=(), weights={})
        weights = self._weights(state)
        by_role = dict(zip(self.reasoner.roles, self.answers.legal(state), strict=True))
        possible = {role: tuple(self._possible(moves, weights)) for role, moves in by_role.items()}
        impossible = tuple(self._impossible(by_role.values(), weights))
        legal = tuple([possible[role] for role in self.seats])
        chance = possible.get(CHANCE_ROLE, (NOTHING,)) if self.chance_moves else ()
        if not all(possible.values()):  # the description leaves somebody without a move: nothing can follow
            return Turn(True, ((),) * len(self.seats), (), (), {}, impossible)
        active = tuple([seat for seat, moves in enumerate(legal) if not _leaves_no_choice(moves)])
        if not active and len(chance) < 2:
            active = (0,)
        return Turn(False, legal, active, chance, weights, impossible)

    def draws(self, sealed: Sequence[Term | None]) -> tuple[Draw, ...]:
        """What has to be drawn for the moves of a turn, in order."""
        found = [Draw(seat, name) for seat, move in enumerate(sealed) if move is not None for name in self._names(move)]
        return tuple(found)

    def joint(self, turn: Turn, sealed: Sequence[Term | None], drawn: Sequence[Term], chance: Term | None) -> Moves:
        """The move of every role, with the events that were drawn, in the order of the roles."""
        moves = [move if move is not None else turn.legal[seat][0] for seat, move in enumerate(sealed)]
        for (seat, name), event in zip(self.draws(sealed), drawn, strict=True):
            moves[seat] = substitute_words(moves[seat], {name: event})
        by_role: dict[str, Term] = dict(zip(self.seats, moves, strict=True))
        return tuple([by_role.get(role, chance or NOTHING) for role in self.reasoner.roles])

    def _weights(self, state: State) -> Mapping[str, tuple[tuple[Term, int], ...]]:
        if not self._variables:
            return {}
        found = self.reasoner.chances(state)
        return {name: tuple([each for each in events if each[1] > 0]) for name, events in found.items()}

    def _possible(self, moves: Moves, weights: Mapping[str, tuple[tuple[Term, int], ...]]) -> Iterator[Term]:
        """Without moves that need an event where none can happen."""
        return (move for move in moves if all(weights.get(name) for name in self._names(move)))

    def _impossible(
        self, legal: Iterable[Moves], weights: Mapping[str, tuple[tuple[Term, int], ...]]
    ) -> Iterator[tuple[Term, str]]:
        """The others, each with the first variable that stands in its way."""
        for move in [move for moves in legal for move in moves] if self._variables else ():
            missing = next((name for name in self._names(move) if not weights.get(name)), None)
            if missing is not None:
                yield move, missing

    def _names(self, move: Term) -> list[str]:
        """The chance variables of a move, each once, from left to right."""
        return list(dict.fromkeys(_arguments_named(move, self._variables))) if self._variables else []


def _leaves_no_choice(moves: Moves) -> bool:
    return len(moves) == 1 and isinstance(moves[0], str)


def _arguments_named(term: Term, names: frozenset[str]) -> Iterator[str]:
    for part in term[1:] if isinstance(term, tuple) else ():
        if isinstance(part, str) and part in names:
            yield part
        yield from _arguments_named(part, names)
