"""Random games inside of WebAssembly, 128 at a time: move choice, chance, restarts and counting included.

Each of 128 lanes holds a position. A pass looks at all of them at once: where the game is over (or has no move, or has
lasted too long) it is counted and begins again, elsewhere every role chooses one of its legal moves with equal chances,
chance variables are drawn by their weights, and the next position follows. A lane for which no random number fitted
waits for the next pass. Every game that has begun is played to its end, so short games are not counted too often; the
last passes therefore run with fewer and fewer lanes.

The random numbers are those of Chris Doty-Humphrey's sfc32, four generators side by side, seeded by a hash: the same
seed gives the same games everywhere.
"""

import hashlib
import struct
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from kernels.choice import added
from kernels.circuit import Circuit
from kernels.decisions import Decisions
from kernels.host import current_host
from kernels.network import FALSE, Copy, Network, Wire, needed
from kernels.planes import LANES, PLANE, Place, Planes
from kernels.wasm import I32, I64, PAGE, V128, Function, Module

AGE_BITS: Final = 12
LONGEST: Final = 1 << AGE_BITS
"""Moves of a game at most; one that lasts longer is counted as unfinished."""
WORK: Final = 500_000_000
"""Gates per call, so that a call comes to an end in a second or so."""


class Tally(NamedTuple):
    """What came of random games."""

    games: int
    finished: int
    """Games that ended by the rules; the others had no move left or lasted too long."""
    goals: tuple[tuple[int, ...], ...]
    """By role: how many finished games gave each of its goals."""
    plies: int


class Program(NamedTuple):
    """The module that plays random games, and where things lie in its memory."""

    binary: bytes
    gates: int
    first: tuple[bool, ...]
    """What is true at first."""
    state: tuple[int, ...]
    """The facts that are kept; on the others nothing depends."""
    goals: tuple[int, ...]
    """How many goals each role has."""
    positions: int
    """Where the planes lie that hold the positions."""
    counters: int


# Where things lie, in planes from the beginning of the memory: constants of every program.
_GENERATOR: Final = 0
_ACTIVE: Final = 4
_CURRENT: Final = 5
"""The address of the planes that hold the positions now, and of those that will hold the next ones."""
_PLIES: Final = 6
_TO_BEGIN: Final = 7
_FREE: Final = 8


def program(circuit: Circuit) -> Program:
    """Writes the module. Raises NetworkError if the network grows too large."""
    network = Network(len(circuit.network) * 8 + 1_000_000)
    copy = Copy(circuit.network, network)
    state = _state_that_matters(circuit)
    true = [network.input() for _ in state]
    copy.replace([circuit.true[fact] for fact in state], true)
    randoms: list[Wire] = []

    def random() -> Wire:
        randoms.append(network.input())
        return randoms[-1]

    made = Decisions(network, copy, circuit, random).made()
    for wires, done in zip(circuit.does, made.done, strict=True):
        copy.replace(wires, done)
    moved = made.fits
    terminal = copy.of([circuit.terminal])[0]
    age = [network.input() for _ in range(AGE_BITS + 1)]
    ended = network.any_of([terminal, age[-1], made.stuck])
    following = copy.of([circuit.following[fact] for fact in state])
    ageing = added(network, tuple(age), (moved,))[: len(age)]
    moving, waiting = network.both(moved, ended ^ 1), network.both(moved ^ 1, ended ^ 1)
    after = [
        *[
            network.any_of(
                [network.both(moving, new), network.both(waiting, old), ended if circuit.start[fact] else FALSE]
            )
            for fact, new, old in zip(state, following, true, strict=True)
        ],
        *[network.both(bit, ended ^ 1) for bit in ageing],
    ]
    goals = [network.both(terminal, wire) for wires in circuit.goals for wire in copy.of(wires)]
    counted = [terminal, *goals]
    shown = [ended, moving, *counted]

    positions = PLANE * _FREE
    random_at = positions + 2 * PLANE * len(after)
    shown_at = random_at + PLANE * len(randoms)
    counters = shown_at + PLANE * len(shown)
    scratch = counters + PLANE * (len(counted) + 1)
    here, there, fixed = 0, 1, 2
    inputs = {
        **{wire: Place(here, PLANE * place) for place, wire in enumerate([*true, *age])},
        **{wire: Place(fixed, random_at + PLANE * place) for place, wire in enumerate(randoms)},
    }
    results = [
        *[(wire, Place(there, PLANE * place)) for place, wire in enumerate(after)],
        *[(wire, Place(fixed, shown_at + PLANE * place)) for place, wire in enumerate(shown)],
    ]
    module = Module()
    planes = Planes(network, inputs, results)
    functions = planes.functions(module, 3, Place(fixed, scratch))
    module.memory(pages=(scratch + PLANE * planes.passed_on) // PAGE + 1)
    shake = _write_generator(module, random_at, len(randoms))
    count = _write_counting(module, shown_at, len(counted), counters)
    play = module.function("play", (I32,), (I32,))
    play.emit("block")
    play.emit("loop")
    play.emit("local.get", 0)
    play.emit("i32.eqz")
    play.emit("br_if", 1)
    play.emit("call", shake)
    for function in functions:
        play.emit("i32.const", PLANE * _CURRENT)
        play.emit("i32.load", 0)
        play.emit("i32.const", PLANE * _CURRENT)
        play.emit("i32.load", 4)
        play.emit("i32.const", 0)
        play.emit("call", function)
    play.emit("i32.const", PLANE * _CURRENT)
    play.emit("i32.const", PLANE * _CURRENT)
    play.emit("i64.load", 0)
    play.emit("i64.const", 32)
    play.emit("i64.rotl")
    play.emit("i64.store", 0)
    play.emit("call", count)
    play.emit("local.get", 0)
    play.emit("i32.const", 1)
    play.emit("i32.sub")
    play.emit("local.set", 0)
    play.emit("i32.const", PLANE * _ACTIVE)
    play.emit("v128.load", 0)
    play.emit("v128.any_true")
    play.emit("br_if", 0)
    play.emit("end")
    play.emit("end")
    play.emit("i32.const", PLANE * _ACTIVE)
    play.emit("v128.load", 0)
    play.emit("v128.any_true")
    return Program(
        binary=module.binary(),
        gates=len(planes),
        first=circuit.start,
        state=tuple(state),
        goals=tuple([len(wires) for wires in circuit.goals]),
        positions=positions,
        counters=counters,
    )


def _state_that_matters(circuit: Circuit) -> list[int]:
    """The facts on which anything depends that is looked at, now or later."""
    facts = {wire >> 1: fact for fact, wire in enumerate(circuit.true)}
    roots = [
        circuit.terminal,
        *[wire for wires in (*circuit.legal, *circuit.goals) for wire in wires],
        *[wire for events in circuit.chances for event in events for _, wire in event],
    ]
    found: set[int] = set()
    while True:
        gates = needed(circuit.network, roots)
        news = {facts[gate] for gate in gates if gate in facts} - found
        if not news:
            return sorted(found)
        found |= news
        roots = [circuit.following[fact] for fact in news]


def _write_generator(module: Module, address: int, planes: int) -> Function:
    """A function that fills planes with random bits."""
    function = module.function(None)
    a, b, c, count, out = [function.local(V128) for _ in range(5)]
    place = function.local(I32)
    write = function.emit
    state = (a, b, c, count)
    for number, local in enumerate(state):
        write("i32.const", PLANE * (_GENERATOR + number))
        write("v128.load", 0)
        write("local.set", local)
    if planes:
        write("loop")
        for code in (
            # out = a + b + count; count += 1
            *(("local.get", a), ("local.get", b), ("i32x4.add",), ("local.get", count), ("i32x4.add",)),
            ("local.set", out),
            *(("local.get", count), ("v128.const", struct.pack("<4I", 1, 1, 1, 1)), ("i32x4.add",)),
            ("local.set", count),
            # a = b ^ b >> 9; b = c + (c << 3)
            *(("local.get", b), ("local.get", b), ("i32.const", 9), ("i32x4.shr_u",), ("v128.xor",), ("local.set", a)),
            *(("local.get", c), ("local.get", c), ("i32.const", 3), ("i32x4.shl",), ("i32x4.add",), ("local.set", b)),
            # c = (c rotated by 21) + out
            *(("local.get", c), ("i32.const", 21), ("i32x4.shl",), ("local.get", c), ("i32.const", 11)),
            *(("i32x4.shr_u",), ("v128.or",), ("local.get", out), ("i32x4.add",), ("local.set", c)),
            *(("local.get", place), ("local.get", out), ("v128.store", address)),
            *(("local.get", place), ("i32.const", PLANE), ("i32.add",), ("local.tee", place)),
            *(("i32.const", PLANE * planes), ("i32.lt_u",), ("br_if", 0)),
        ):
            write(*code)
        write("end")
    for number, local in enumerate(state):
        write("i32.const", PLANE * (_GENERATOR + number))
        write("local.get", local)
        write("v128.store", 0)
    return function


def _write_counting(module: Module, address: int, counted: int, counters: int) -> Function:
    """A function that counts what came to an end and lets no more games begin than are wanted.

    The planes at the address: what ended, what moved, and what is counted of that which ended.
    """
    function = module.function(None)
    write = function.emit
    ended, plane = function.local(V128), function.local(V128)
    number, low, high, left = [function.local(I64) for _ in range(4)]

    def plane_at(offset: int) -> None:
        write("i32.const", 0)
        write("v128.load", offset)

    def number_of_plane() -> None:
        write("local.tee", plane)
        write("i64x2.extract_lane", 0)
        write("i64.popcnt")
        write("local.get", plane)
        write("i64x2.extract_lane", 1)
        write("i64.popcnt")
        write("i64.add")

    def add_to(counter: int, what: Callable[[], None]) -> None:
        write("i32.const", 0)
        write("i32.const", 0)
        write("i64.load", counter)
        what()
        write("i64.add")
        write("i64.store", counter)

    def lanes_of(offset: int) -> Callable[[], None]:
        def count() -> None:
            plane_at(offset)
            write("local.get", ended)
            write("v128.and")
            number_of_plane()

        return count

    plane_at(PLANE * _ACTIVE)
    write("local.set", ended)
    add_to(PLANE * _PLIES, lanes_of(address + PLANE))
    plane_at(address)
    write("local.get", ended)
    write("v128.and")
    write("local.tee", ended)
    write("v128.any_true")
    write("if")
    for place in range(counted):
        add_to(counters + PLANE * place, lanes_of(address + PLANE * (2 + place)))
    write("local.get", ended)
    number_of_plane()
    write("local.set", number)
    add_to(counters + PLANE * counted, lambda: write("local.get", number))
    write("i32.const", 0)
    write("i32.const", 0)
    write("i64.load", PLANE * _TO_BEGIN)
    write("local.tee", left)
    write("local.get", number)
    write("i64.sub")
    write("i64.store", PLANE * _TO_BEGIN)
    write("local.get", left)
    write("local.get", number)
    write("i64.lt_s")
    write("if")
    # Only as many lanes begin again as games are left; the others are done.
    for lane, half in enumerate((low, high)):
        write("local.get", ended)
        write("i64x2.extract_lane", lane)
        write("local.set", half)
    write("block")
    write("loop")
    write("local.get", left)
    write("i64.eqz")
    write("br_if", 1)
    write("local.get", left)
    write("i64.const", 1)
    write("i64.sub")
    write("local.set", left)
    write("local.get", low)
    write("i64.eqz")
    write("if")
    _clear_lowest_bit(function, high)
    write("else")
    _clear_lowest_bit(function, low)
    write("end")
    write("br", 0)
    write("end")
    write("end")
    write("i32.const", 0)
    plane_at(PLANE * _ACTIVE)
    write("local.get", low)
    write("i64x2.splat")
    write("local.get", high)
    write("i64x2.replace_lane", 1)
    write("v128.andnot")
    write("v128.store", PLANE * _ACTIVE)
    write("i32.const", 0)
    write("i64.const", 0)
    write("i64.store", PLANE * _TO_BEGIN)
    write("end")
    write("end")
    return function


def _clear_lowest_bit(function: Function, local: int) -> None:
    function.emit("local.get", local)
    function.emit("local.get", local)
    function.emit("i64.const", 1)
    function.emit("i64.sub")
    function.emit("i64.and")
    function.emit("local.set", local)


class Playouts:
    """A program that was loaded. One thread at a time."""

    def __init__(self, ready: Program) -> None:
        self._program = ready
        self._instance = current_host().load(ready.binary)

    def run(self, games: int, seed: int | str, start: Sequence[bool] | None = None, *, lanes: int = LANES) -> Tally:
        """Random games, each counted once; always the same for the same arguments.

        From the first position, lanes begin again by themselves. From another one, as many games as there are lanes
        are played at a time. With fewer lanes everything is slower, which is of use only to measure.
        """
        if games < 1 or not 1 <= lanes <= LANES:
            raise ValueError(f"at least one game and 1 to {LANES} lanes, not {games} and {lanes}")
        ready = self._program
        number = sum(ready.goals) + 2
        digest = hashlib.sha512(str(seed).encode()).digest()
        self._instance.write(PLANE * _GENERATOR, digest[: 3 * PLANE] + struct.pack("<4I", 1, 1, 1, 1))
        self._instance.write(PLANE * _PLIES, bytes(8))
        self._instance.write(ready.counters, bytes(PLANE * number))
        if start is None:
            self._play(ready.first, min(games, lanes), games)
        else:
            for begun in range(0, games, lanes):
                batch = min(games - begun, lanes)
                self._play(start, batch, batch)
        counters = self._instance.read(ready.counters, PLANE * number)
        finished, *goals, played = [struct.unpack_from("<q", counters, PLANE * place)[0] for place in range(number)]
        rows = iter(goals)
        by_role = tuple([tuple([next(rows) for _ in range(own)]) for own in ready.goals])
        plies = struct.unpack("<q", self._instance.read(PLANE * _PLIES, 8))[0]
        return Tally(played, finished, by_role, plies)

    def _play(self, start: Sequence[bool], lanes: int, games: int) -> None:
        """Plays games to their end, the first ones from a position, those that begin in their lanes from the first."""
        write, ready = self._instance.write, self._program
        planes = [_FULL if start[fact] else _EMPTY for fact in ready.state] + [_EMPTY] * (AGE_BITS + 1)
        write(ready.positions, b"".join(planes))
        write(PLANE * _CURRENT, struct.pack("<II", ready.positions, ready.positions + PLANE * len(planes)))
        write(PLANE * _ACTIVE, ((1 << lanes) - 1).to_bytes(PLANE, "little"))
        write(PLANE * _TO_BEGIN, struct.pack("<q", games - lanes))
        while self._instance.call("play", max(WORK // (ready.gates + 1), 1)):
            pass


_FULL: Final = b"\xff" * PLANE
_EMPTY: Final = bytes(PLANE)
