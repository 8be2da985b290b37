"""One position at a time, asked of a network: what is legal, what it is worth, what follows.

A position lies in a room: a stretch of memory with a plane for every fact, every deed and every answer, of which one
bit counts. The functions that compute planes are kept as they are written, so that any module may take them in: the one
here, which answers Python, and kernels that play whole games by themselves.
"""

from collections.abc import Sequence
from itertools import accumulate, islice
from typing import Final, NamedTuple

from kernels.circuit import Circuit
from kernels.host import Limits, current_host
from kernels.planes import PLANE, Place, Planes
from kernels.wasm import I32, PAGE, Function, Module

Bits = bytes
"""One byte for each fact, 0 or 1."""

_LOWEST: Final = bytes([number & 1 for number in range(256)])
_UNTIMED: Final = Limits(seconds=None)
"""Networks have no loops."""


class Glance(NamedTuple):
    """What a position is like."""

    terminal: bool
    legal: tuple[Bits, ...]
    """By role and move."""
    goals: tuple[Bits, ...]
    """By role and goal."""
    chances: tuple[tuple[int, ...], ...]
    """By chance variable and event: its weight."""


class Layout(NamedTuple):
    """Functions about rooms, and where things lie in a room. Each takes the addresses of two rooms, here and there."""

    look: tuple[bytes, ...]
    """Tell here what may be done: together, one after another, as all of these."""
    worth: tuple[bytes, ...]
    """Tell here what it is worth and what chance may do."""
    step: tuple[bytes, ...]
    """Put there what follows from what is done here."""
    facts: int
    """How many facts a position has; their planes come first, then those of deeds."""
    moves: tuple[int, ...]
    """How many moves each role has."""
    deeds: tuple[int, ...]
    goals: tuple[int, ...]
    weights: tuple[tuple[tuple[int, ...], ...], ...]
    """By chance variable and event: what may be added to its weight."""
    answers: int
    """Where the answers begin: whether it is over, moves by role, then goals by role and weights."""
    size: int
    """Bytes of a room."""

    @property
    def done(self) -> int:
        """Where deeds begin."""
        return PLANE * self.facts

    @property
    def worths(self) -> int:
        """Where goals begin."""
        return self.answers + PLANE * (1 + sum(self.moves))


def layout(circuit: Circuit) -> Layout:
    """Writes the functions."""
    facts = {wire: Place(0, PLANE * place) for place, wire in enumerate(circuit.true)}
    done_at = PLANE * len(circuit.true)
    done = [wire for wires in circuit.does for wire in wires]
    does = {wire: Place(0, done_at + PLANE * place) for place, wire in enumerate(done)}
    answers = done_at + PLANE * len(done)
    moves = [circuit.terminal, *[wire for wires in circuit.legal for wire in wires]]
    worth = [wire for wires in circuit.goals for wire in wires]
    worth += [wire for events in circuit.chances for event in events for _, wire in event]
    worths = answers + PLANE * len(moves)
    scratch = worths + PLANE * len(worth)
    passed_on = 0
    written = []
    for inputs, wires, address in (
        (facts, moves, Place(0, answers)),
        (facts, worth, Place(0, worths)),
        ({**facts, **does}, circuit.following, Place(1, 0)),
    ):
        results = [(wire, Place(address.parameter, address.offset + PLANE * n)) for n, wire in enumerate(wires)]
        planes = Planes(circuit.network, inputs, results)
        functions = planes.functions(Module(), 2, Place(0, scratch))
        written.append(tuple([function.body() for function in functions]))
        passed_on = max(passed_on, planes.passed_on)
    look, worths_of, step = written
    return Layout(
        look,
        worths_of,
        step,
        facts=len(circuit.true),
        moves=tuple([len(wires) for wires in circuit.legal]),
        deeds=tuple([len(wires) for wires in circuit.does]),
        goals=tuple([len(wires) for wires in circuit.goals]),
        weights=tuple([tuple([tuple([one for one, _ in event]) for event in events]) for events in circuit.chances]),
        answers=answers,
        size=scratch + PLANE * passed_on,
    )


def taken_in(module: Module, bodies: Sequence[bytes]) -> list[Function]:
    """Functions of a layout as functions of a module."""
    return [module.written(body, (I32, I32)) for body in bodies]


class Positions:
    """A layout that was loaded. One thread at a time."""

    def __init__(self, ready: Layout) -> None:
        self._layout = ready
        self._instance = current_host().load(_module(ready), _UNTIMED)
        self._starts = [0, *accumulate(ready.deeds)]

    def look(self, bits: Bits) -> Glance:
        self._instance.write(0, _planes(bits))
        self._instance.call("look")
        return self._glance(0)

    def step(self, bits: Bits, done: Sequence[int]) -> tuple[Bits, Glance]:
        """The position that follows where each role does one of its deeds, by number, and what it is like."""
        deeds = bytearray(self._starts[-1])
        for start, chosen in zip(self._starts, done, strict=False):
            deeds[start + chosen] = 1
        self._instance.write(0, _planes(bits + deeds))
        self._instance.call("step")
        room = self._layout.size
        return self._read(room, self._layout.facts), self._glance(room)

    def _glance(self, room: int) -> Glance:
        known = self._layout
        bits = self._read(room + known.answers, (known.size - known.answers) // PLANE)
        answers = iter(bits)
        over = next(answers)
        legal = tuple([bytes(islice(answers, number)) for number in known.moves])
        goals = tuple([bytes(islice(answers, number)) for number in known.goals])
        chances = [
            tuple([sum([weight for weight in event if next(answers)]) for event in events]) for events in known.weights
        ]
        return Glance(bool(over), legal, goals, tuple(chances))

    def _read(self, address: int, planes: int) -> Bits:
        return self._instance.read(address, PLANE * planes)[::PLANE].translate(_LOWEST)


def _module(ready: Layout) -> bytes:
    """`look` answers in the room at 0; `step` goes on into a second room, behind it, and answers there."""
    module = Module()
    module.memory(2 * ready.size // PAGE + 1)
    look = taken_in(module, (*ready.look, *ready.worth))
    step = taken_in(module, ready.step)
    here, there = 0, ready.size
    for name, calls in (
        ("look", [(function, here, there) for function in look]),
        ("step", [*[(function, here, there) for function in step], *[(function, there, here) for function in look]]),
    ):
        whole = module.function(name)
        for function, one, other in calls:
            whole.emit("i32.const", one)
            whole.emit("i32.const", other)
            whole.emit("call", function)
    return module.binary()


def _planes(bits: Bits | bytearray) -> bytes:
    planes = bytearray(PLANE * len(bits))
    planes[::PLANE] = bits
    return bytes(planes)
