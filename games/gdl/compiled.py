"""A description as machine code: grounded once, kept in memory and, outside of browsers, on disk.

`compiled` gives what answers the reasoner's questions about states, and plays random games by the million. It raises
GroundingError for descriptions that are too large for that; those are left to the reasoner.
"""

import base64
import gzip
import json
import os
import sys
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import compress
from pathlib import Path
from sys import intern
from threading import Lock
from typing import Any, Final, NamedTuple

from games.gdl.grounding import Budget, Deed, Draw, Grounded, GroundingError, ground
from games.gdl.reader import read
from games.gdl.terms import Term, text
from games.references import source_hash
from kernels.circuit import Circuit
from kernels.circuit import Deed as Done
from kernels.network import NetworkError
from kernels.playouts import Playouts, Program, program
from kernels.positions import Bits, Glance, Layout, Positions, layout
from kernels.turns import Turns

State = frozenset[Term]

KEPT: Final = 32
"""Games whose machine code a process keeps."""
STATES_KEPT: Final = 512
"""States of a game of which it is known what they are like."""
FORMAT: Final = 3
"""What is kept on disk is made anew when this number has changed."""


class Words(NamedTuple):
    """What the wires of a game are called."""

    roles: tuple[str, ...]
    facts: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]
    """By role, in alphabetical order."""
    deeds: tuple[tuple[Deed, ...], ...]
    points: tuple[tuple[int | None, ...], ...]
    events: tuple[tuple[str, tuple[Term, ...]], ...]
    """Chance variables and their events."""


class Parts(NamedTuple):
    """Everything that grounding and writing have made: what is kept on disk."""

    words: Words
    program: Program
    layout: Layout


class Size(NamedTuple):
    """What grounding has made of a description."""

    facts: int
    """That can ever be true in a state."""
    moves: int
    """Of all roles together."""
    gates: int
    """Of the network that plays random games, 128 at a time."""
    octets: int
    """Of its WebAssembly."""


class Results(NamedTuple):
    """What came of random games."""

    games: int
    finished: int
    """Those that ended by the rules; the others had no move left or lasted too long."""
    points: tuple[Mapping[int, int], ...]
    """By role: how often each number of points was given."""
    plies: int


class Compiled:
    """Answers what the reasoner answers. May be used by several threads, one after another."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._words = parts.words
        self._facts = {fact: number for number, fact in enumerate(parts.words.facts)}
        self._deeds = [{deed.term: number for number, deed in enumerate(row)} for row in parts.words.deeds]
        self._states: OrderedDict[State, tuple[Bits, Glance]] = OrderedDict()
        self._positions: Positions | None = None
        self._playouts: Playouts | None = None
        self._lock = Lock()

    @property
    def roles(self) -> tuple[str, ...]:
        return self._words.roles

    @property
    def sizes(self) -> Mapping[str, int]:
        """How large the game is: facts, moves of all roles together, gates of a random move."""
        moves = sum([len(row) for row in self._words.moves])
        return {"facts": len(self._words.facts), "moves": moves, "gates": self._parts.program.gates}

    def initial(self) -> State:
        return frozenset([fact for fact, bit in zip(self._words.facts, self._parts.program.first, strict=True) if bit])

    def knows(self, state: State) -> bool:
        """Whether all facts of a state are among those that can be true."""
        return state in self._states or self._facts.keys() >= state

    def is_terminal(self, state: State) -> bool:
        return self._glance(state).terminal

    def legal(self, state: State) -> tuple[tuple[Term, ...], ...]:
        """The moves of every role, each in alphabetical order."""
        return tuple(
            [
                tuple(compress(moves, bits))
                for moves, bits in zip(self._words.moves, self._glance(state).legal, strict=True)
            ]
        )

    def goals(self, state: State) -> tuple[int | None, ...]:
        """The points of every role; None where the rules say none, several, or no number."""
        said = [
            list(compress(row, bits)) for row, bits in zip(self._words.points, self._glance(state).goals, strict=True)
        ]
        return tuple([row[0] if len(row) == 1 else None for row in said])

    def chances(self, state: State) -> Mapping[str, tuple[tuple[Term, int], ...]]:
        """By the name of each chance variable, its events and their weights, in alphabetical order."""
        found = {}
        for (name, events), weights in zip(self._words.events, self._glance(state).chances, strict=True):
            pairs = [(event, weight) for event, weight in zip(events, weights, strict=True) if weight]
            if pairs:
                found[name] = tuple(sorted(pairs, key=lambda pair: text(pair[0])))
        return found

    def after(self, state: State, joint: Sequence[Term]) -> State:
        """The state that follows when every role makes its move of the joint move. Raises KeyError for unknown ones."""
        chosen = [numbers[move] for numbers, move in zip(self._deeds, joint, strict=True)]
        with self._lock:
            bits, glance = self._asked().step(self._seen(state)[0], chosen)
            following = frozenset(compress(self._words.facts, bits))
            self._keep(following, (bits, glance))
        return following

    def turns(self, state: State) -> Turns:
        """A state for kernels that play by themselves. The game has no chance."""
        with self._lock:
            bits, _ = self._seen(state)
        return Turns(self._parts.layout, bits, *self._numbers)

    @cached_property
    def _numbers(self) -> tuple[tuple[Bits, ...], tuple[tuple[int, ...], ...], tuple[tuple[float | None, ...], ...]]:
        """By role: which moves are mere words, their deeds, and what goals are worth."""
        words = self._words
        waiting = tuple([bytes([isinstance(move, str) for move in moves]) for moves in words.moves])
        deeds = [tuple([row[move] for move in moves]) for row, moves in zip(self._deeds, words.moves, strict=True)]
        points = [tuple([None if one is None else float(min(max(one, 0), 100)) for one in row]) for row in words.points]
        return waiting, tuple(deeds), tuple(points)

    def size(self) -> Size:
        """How large the grounded game is."""
        words = self._words
        moves = sum(map(len, words.moves))
        return Size(len(words.facts), moves, self._parts.program.gates, len(self._parts.program.binary))

    def playouts(self, games: int, seed: int | str, state: State | None = None, *, lanes: int = 128) -> Results:
        """Random games from a state, by default the first: equal chances for all moves of a role.

        The same arguments give the same results everywhere. `lanes`: how many are played at a time.
        """
        with self._lock:
            if self._playouts is None:
                self._playouts = Playouts(self._parts.program)
            start = None if state is None else [bool(bit) for bit in self._bits(state)]
            tally = self._playouts.run(games, seed, start, lanes=lanes)
        points = []
        for names, numbers in zip(self._words.points, tally.goals, strict=True):
            points.append({name: number for name, number in zip(names, numbers, strict=True) if name is not None})
        return Results(tally.games, tally.finished, tuple(points), tally.plies)

    def _glance(self, state: State) -> Glance:
        with self._lock:
            return self._seen(state)[1]

    def _seen(self, state: State) -> tuple[Bits, Glance]:
        """The state as the network takes it, and what it is like."""
        known = self._states.get(state)
        if known is None:
            bits = self._bits(state)
            known = bits, self._asked().look(bits)
            self._keep(state, known)
        return known

    def _keep(self, state: State, known: tuple[Bits, Glance]) -> None:
        self._states[state] = known
        if len(self._states) > STATES_KEPT:
            self._states.popitem(last=False)

    def _asked(self) -> Positions:
        if self._positions is None:
            self._positions = Positions(self._parts.layout)
        return self._positions

    def _bits(self, state: State) -> Bits:
        bits = bytearray(len(self._facts))
        for fact in state:
            number = self._facts.get(fact)
            if number is None:
                raise KeyError(f"{text(fact)} can never be true")
            bits[number] = 1
        return bytes(bits)


# ---------------------------------------------------------------------------------------------------- making


def compiled(source: str, budget: Budget | None = None) -> Compiled:
    """The machine code of a description. Raises GroundingError, and DescriptionError if it cannot be read."""
    name = source_hash(source)
    with _lock:
        known = _known.pop(name, None)
        if known is not None:
            _known[name] = known
    if known is None:
        known = _made(name, source, budget)
        if budget is None or isinstance(known, Compiled):
            with _lock:
                _known[name] = known
                while len(_known) > KEPT:
                    _known.popitem(last=False)
    if isinstance(known, GroundingError):
        raise known
    return known


_known: Final[OrderedDict[str, Compiled | GroundingError]] = OrderedDict()
"""By the source's hash; refusals by the usual budget as well, because finding them out again would take as long."""
_lock: Final = Lock()


def _made(name: str, source: str, budget: Budget | None) -> Compiled | GroundingError:
    folder = _folder()
    parts = _kept(folder, name)
    if parts is None:
        try:
            parts = parts_of(ground(read(source).rules, budget))
        except GroundingError as error:
            return error
        _keep(folder, name, parts)
    return Compiled(parts)


def parts_of(grounded: Grounded) -> Parts:
    """Writes the modules of a grounded game. Raises GroundingError if they grow too large."""
    game = circuit_of(grounded)
    legal = [
        sorted(zip(moves, wires, strict=True), key=lambda pair: text(pair[0]))
        for moves, wires in zip(grounded.moves, grounded.legal, strict=True)
    ]
    words = Words(
        roles=grounded.roles,
        facts=grounded.facts,
        moves=tuple([tuple([move for move, _ in row]) for row in legal]),
        deeds=grounded.deeds,
        points=tuple([tuple([points for points, _ in row]) for row in grounded.goals]),
        events=_events(grounded),
    )
    try:
        ordered = game._replace(legal=tuple([tuple([wire for _, wire in row]) for row in legal]))
        return Parts(words, program(game), layout(ordered))
    except NetworkError as error:
        raise GroundingError(str(error)) from None


def circuit_of(grounded: Grounded) -> Circuit:
    """The network without the words."""
    events = _events(grounded)
    names = [name for name, _ in events]
    numbers = {(name, event): (names.index(name), place) for name, row in events for place, event in enumerate(row)}
    return Circuit(
        network=grounded.network,
        start=grounded.start,
        true=grounded.true,
        following=grounded.following,
        legal=grounded.legal,
        deeds=tuple(
            [
                tuple([Done(deed.move, tuple([numbers[draw] for draw in deed.draws])) for deed in row])
                for row in grounded.deeds
            ]
        ),
        does=grounded.does,
        goals=tuple([tuple([wire for _, wire in row]) for row in grounded.goals]),
        terminal=grounded.terminal,
        chances=tuple(
            [
                tuple(
                    [
                        tuple([(weight, wire) for one, weight, wire in grounded.chances[name] if one == event])
                        for event in row
                    ]
                )
                for name, row in events
            ]
        ),
    )


def _events(grounded: Grounded) -> tuple[tuple[str, tuple[Term, ...]], ...]:
    return tuple(
        [(name, tuple(dict.fromkeys([event for event, *_ in rows]))) for name, rows in grounded.chances.items()]
    )


# --------------------------------------------------------------------------------------------------- on disk


def _folder() -> Path | None:
    """Where networks are kept; browsers have no such place."""
    if sys.platform == "emscripten":
        return None
    kept = os.environ.get("XDG_CACHE_HOME")
    return (Path(kept) if kept else Path.home() / ".cache") / "grintu" / "networks"


def _kept(folder: Path | None, name: str) -> Parts | None:
    if folder is None:
        return None
    try:
        return _parts_read(json.loads(gzip.decompress((folder / f"{name}.{FORMAT}").read_bytes())))
    except (OSError, EOFError, ValueError, TypeError, KeyError):
        return None  # not there, or damaged: it is made anew


def _keep(folder: Path | None, name: str, parts: Parts) -> None:
    if folder is None:
        return
    draft = folder / f"{name}.{os.getpid()}"
    with suppress(OSError):  # it goes on without
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.write_bytes(gzip.compress(json.dumps(parts, default=_written).encode(), compresslevel=1))
        draft.replace(folder / f"{name}.{FORMAT}")


def _written(value: object) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    raise TypeError(f"{type(value)} has no place in a file")


def _parts_read(value: Any) -> Parts:
    words, ready, where = value
    roles, facts, moves, deeds, points, events = _tuples(words)
    known = Words(
        roles,
        facts,
        moves,
        tuple(
            [
                tuple([Deed(term, move, tuple([Draw(*one) for one in draws])) for term, move, draws in row])
                for row in deeds
            ]
        ),
        points,
        events,
    )
    binary, *rest = ready
    program_read = Program(base64.b64decode(binary), *[_tuples(part) for part in rest])
    look, worth, step, *rest = where
    bodies = [tuple([base64.b64decode(body) for body in written]) for written in (look, worth, step)]
    return Parts(known, program_read, Layout(bodies[0], bodies[1], bodies[2], *[_tuples(part) for part in rest]))


def _tuples(value: Any) -> Any:
    """What JSON has made lists of as it was; texts once each."""
    if isinstance(value, list):
        return tuple([_tuples(part) for part in value])
    return intern(value) if isinstance(value, str) else value
