"""Networks as WebAssembly: a wire becomes a plane of 128 bits, one for each of 128 positions, a gate one instruction.

Inputs are loaded from where they lie in memory, results are stored where they are wanted. Gates with many wires are
taken two by two, pairs that occur often only once. An instruction may give the opposite of what its gate means (or
instead of nor); whoever uses it knows. Gates follow each other as the results need them, locals are used again as soon
as their value is not needed any more, and a long network is cut into several functions, because compilers are slow with
long ones; what one of them leaves to a later one goes through the memory.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Final, NamedTuple

from kernels.network import FALSE, Network, Op, Wire, needed
from kernels.pairs import shared_pairs
from kernels.wasm import I32, V128, Function, Module, encoded

PLANE: Final = 16
"""Bytes of a plane."""
LANES: Final = 128
LONGEST_FUNCTION: Final = 3_000
"""Instructions about planes in one function."""


class Place(NamedTuple):
    """Where a plane lies: a parameter of the function that holds an address, and what is added to it."""

    parameter: int
    offset: int


class Instruction(NamedTuple):
    name: str
    operands: tuple[int, ...]
    """Numbers of gates whose planes it takes."""
    opposite: int | None = None
    """Which of them has to be negated first."""


class Planes:
    """Functions that compute some wires of a network from planes in memory and store them there."""

    def __init__(self, network: Network, inputs: Mapping[Wire, Place], results: Sequence[tuple[Wire, Place]]) -> None:
        self._network = Network(len(network) * 100)
        places = {wire >> 1: place for wire, place in inputs.items()}
        became = _two_by_two(network, [wire for wire, _ in results], self._network)
        self._inputs = {became[number] >> 1: place for number, place in places.items() if number in became}
        self._results = [(became[wire >> 1] ^ wire & 1, place) for wire, place in results]
        self._flipped: dict[int, bool] = {}
        """Gates whose plane is the opposite of what they mean."""
        self._instructions: dict[int, Instruction] = {}
        self.passed_on = 0
        """How many planes the functions leave to each other."""

    def functions(self, module: Module, parameters: int, scratch: Place) -> list[Function]:
        """Writes the functions, to be called one after another; what they leave to each other lies at `scratch`."""
        order = self._order()
        for number in order:
            self._choose(number)
        pieces = [order[place : place + LONGEST_FUNCTION] for place in range(0, len(order), LONGEST_FUNCTION)] or [[]]
        home = {number: piece for piece, numbers in enumerate(pieces) for number in numbers}
        results: dict[int, list[tuple[Wire, Place]]] = {}
        for wire, place in self._results:
            results.setdefault(wire >> 1, []).append((wire, place))
        passed_on: dict[int, Place] = {}
        for number in order:
            for operand in self._instructions[number].operands:
                if operand in home and home[operand] != home[number] and operand not in passed_on:
                    passed_on[operand] = Place(scratch.parameter, scratch.offset + PLANE * len(passed_on))
        functions = []
        for piece, numbers in enumerate(pieces):
            function = module.function(None, [I32] * parameters)
            writer = _Writer(function, numbers, self._instructions, {**self._inputs, **passed_on})
            if piece == 0:
                for number in [number for number in results if number not in home]:
                    for wire, place in results[number]:
                        self._store(writer, wire, place)
            for number in numbers:
                writer.compute(number)
                for wire, place in results.get(number, ()):
                    self._store(writer, wire, place)
                if number in passed_on:
                    writer.store(number, passed_on[number])
                writer.forget(number)
            functions.append(function)
        self.passed_on = len(passed_on)
        return functions

    def __len__(self) -> int:
        return len(self._instructions)

    def _store(self, writer: "_Writer", wire: Wire, place: Place) -> None:
        number = wire >> 1
        writer.store(number, place, opposite=bool(wire & 1) != self._flipped.get(number, False))

    def _order(self) -> list[int]:
        """All gates that are computed, each after what it needs and as late as the results allow."""
        order: list[int] = []
        done = {0, *self._inputs}
        gates = self._network.gates
        for wire, _ in self._results:
            waiting = [(wire >> 1, False)]
            while waiting:
                number, ready = waiting.pop()
                if ready:
                    order.append(number)
                elif number not in done:
                    done.add(number)
                    waiting.append((number, True))
                    waiting += [(part >> 1, False) for part in gates[number].wires if part >> 1 not in done]
        return order

    def _choose(self, number: int) -> None:
        """The instruction for a gate, with regard to which of its operands are flipped."""
        gate = self._network.gates[number]
        parts = [(wire >> 1, bool(wire & 1) != self._flipped.get(wire >> 1, False)) for wire in gate.wires]
        planes = tuple([part for part, _ in parts])
        signs = [sign for _, sign in parts]
        opposite = None
        if gate.op is Op.AND:
            if all(signs):
                name, flipped = "v128.or", True
            elif any(signs):
                name, flipped = "v128.andnot", False
                planes = planes[::-1] if signs[0] else planes
            else:
                name, flipped = "v128.and", False
        elif gate.op is Op.XOR:
            name, flipped = "v128.xor", signs[0] != signs[1]
        elif gate.op is Op.SELECT:
            condition, yes, no = planes
            name, flipped = "v128.bitselect", signs[1]
            planes = (no, yes, condition) if signs[0] else (yes, no, condition)
            if signs[1] != signs[2]:
                opposite = 0 if signs[0] else 1
        else:
            raise AssertionError(f"{gate} has no place in memory")
        self._flipped[number] = flipped
        self._instructions[number] = Instruction(name, planes, opposite)


class _Writer:
    """Writes one function and keeps account of its locals."""

    def __init__(
        self,
        function: Function,
        numbers: Sequence[int],
        instructions: Mapping[int, Instruction],
        places: Mapping[int, Place],
    ) -> None:
        self._function = function
        self._instructions = instructions
        self._places = places
        self._locals: dict[int, int] = {}
        self._free: list[int] = []
        self._uses: dict[int, int] = {}
        for number in numbers:
            for operand in instructions[number].operands:
                self._uses[operand] = self._uses.get(operand, 0) + 1

    def compute(self, number: int) -> None:
        instruction = self._instructions[number]
        for place, operand in enumerate(instruction.operands):
            self._load(operand)
            if place == instruction.opposite:
                self._function.append(_NOT)
        self._function.append(_CODES[instruction.name])
        for operand in instruction.operands:
            self._uses[operand] -= 1
            if not self._uses[operand] and operand in self._locals:
                self._free.append(self._locals.pop(operand))
        self._locals[number] = self._free.pop() if self._free else self._function.local(V128)
        self._function.emit("local.set", self._locals[number])

    def store(self, number: int, place: Place, *, opposite: bool = False) -> None:
        self._function.emit("local.get", place.parameter)
        self._load(number)
        if opposite:
            self._function.append(_NOT)
        self._function.emit("v128.store", place.offset)

    def forget(self, number: int) -> None:
        """Free the local of a gate that only its results needed."""
        if not self._uses.get(number) and number in self._locals:
            self._free.append(self._locals.pop(number))

    def _load(self, number: int) -> None:
        if number in self._locals:
            self._function.emit("local.get", self._locals[number])
        elif number == FALSE:
            self._function.emit("v128.const", bytes(PLANE))
        else:
            place = self._places[number]
            self._function.emit("local.get", place.parameter)
            self._function.emit("v128.load", place.offset)


_CODES: Final = {name: encoded(name) for name in ("v128.and", "v128.andnot", "v128.or", "v128.xor", "v128.bitselect")}
_NOT: Final = encoded("v128.not")


def _two_by_two(network: Network, roots: Sequence[Wire], result: Network) -> dict[int, Wire]:
    """Puts what the roots need into a network whose gates have two wires, or three if they select; by old numbers."""
    order = needed(network, roots, (0,))
    flat = _flattened(network, order, roots)
    pairs = shared_pairs(list(flat.values()), 2 * len(network))
    became: dict[int, Wire] = {0: FALSE}

    def now(wire: Wire) -> Wire:
        """What has become of a wire; a pair is made when it is needed first."""
        if wire >> 1 not in became:
            one, other = pairs[wire]
            became[wire >> 1] = result.both(now(one), now(other))
        return became[wire >> 1] ^ wire & 1

    for number in order:
        gate = network.gates[number]
        if number in flat:
            became[number] = reduce(result.both, sorted([now(wire) for wire in flat[number]]))
        elif gate.op is Op.XOR:
            became[number] = result.differ(*[now(wire) for wire in gate.wires])
        elif gate.op is Op.SELECT:
            became[number] = result.select(*[now(wire) for wire in gate.wires])
        elif gate.op is not Op.AND:
            became[number] = result.input()
    return became


def _flattened(network: Network, order: Iterable[int], roots: Iterable[Wire]) -> dict[int, set[Wire]]:
    """The conjunctions by number, those that only another one needs taken up by it."""
    uses = Counter([wire for number in order for wire in network.gates[number].wires])
    uses.update(roots)
    gates = network.gates
    flat: dict[int, set[Wire]] = {}
    for number in order:
        if gates[number].op is not Op.AND:
            continue
        parts: set[Wire] = set()
        for wire in gates[number].wires:
            alone = not wire & 1 and wire >> 1 in flat and uses[wire] == 1 and not uses[wire ^ 1]
            parts |= flat.pop(wire >> 1) if alone else {wire}
        flat[number] = parts
    return flat
