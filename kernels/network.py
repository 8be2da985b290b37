"""Boolean networks: many small questions with yes or no as answer, kept so that nothing is asked twice.

A wire is a whole number: twice the number of its gate, plus one if it carries the opposite. Gates are numbered by what
they compute (value numbering): whoever asks for a gate that is there already gets the old wire, and what is settled by
constants never becomes a gate. Negation costs nothing.

A knot is a wire whose meaning is told later; so relations that need themselves can be written down. `untied` replaces
the knots: where gates do not go round in a circle by their meaning, and where they do by the least solution.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

Wire = int

FALSE: Final[Wire] = 0
TRUE: Final[Wire] = 1


class Op(IntEnum):
    """What a gate does with its wires."""

    CONSTANT = 0
    INPUT = 1
    KNOT = 2
    AND = 3
    """All of two or more wires, in ascending order."""
    XOR = 4
    """Exactly one of two wires; neither is negated."""
    SELECT = 5
    """If the first wire (which is not negated) holds, the second (which is not negated), else the third."""


class Gate(NamedTuple):
    op: Op
    wires: tuple[Wire, ...]


class NetworkError(ValueError):
    """A network that has no meaning or that has grown beyond its limit."""


class Network:
    """Gates in an order in which each needs only earlier ones, but for knots."""

    def __init__(self, most_gates: int = 5_000_000) -> None:
        self.gates: list[Gate] = [Gate(Op.CONSTANT, ())]
        self.meanings: dict[int, Wire] = {}
        """What knots mean, by gate."""
        self._numbers: dict[Gate, int] = {}
        self._groups: dict[int, frozenset[Wire]] = {}
        """For gates of which exactly one of a group holds: the wires of the group."""
        self._none_of: dict[int, frozenset[Wire]] = {}
        """For gates that only say of members of a group that they do not hold: these members."""
        self._most_gates = most_gates

    def __len__(self) -> int:
        return len(self.gates)

    def input(self) -> Wire:
        """A new wire that somebody else decides about."""
        return self._fresh(Gate(Op.INPUT, ()))

    def knot(self) -> Wire:
        """A new wire; `tie` tells what it means."""
        return self._fresh(Gate(Op.KNOT, ()))

    def tie(self, knot: Wire, meaning: Wire) -> None:
        self.meanings[knot >> 1] = meaning

    def exactly_one(self, wires: Iterable[Wire]) -> None:
        """Promise that exactly one of some wires holds, whenever anybody looks."""
        group = frozenset(wires)
        self._groups.update({wire >> 1: group for wire in group})

    def _of_one_group(self, parts: set[Wire]) -> set[Wire]:
        """The parts of a conjunction in other words: none of most of a group is one of the others."""
        denied: dict[frozenset[Wire], set[Wire]] = {}
        for wire in parts:
            if wire >> 1 in self._groups:
                denied.setdefault(self._groups[wire >> 1], set()).update([wire ^ 1] if wire & 1 else [])
            elif wire >> 1 in self._none_of and not wire & 1:
                some = self._none_of[wire >> 1]
                denied.setdefault(self._groups[next(iter(some)) >> 1], set()).update(some)
        for group, members in denied.items():
            holding = {wire for wire in parts if wire in group}
            if len(holding) > 1 or holding & members:
                return {FALSE}
            if holding or 2 * len(members) > len(group):
                parts = {wire for wire in parts if not self._denies(wire, group)}
                parts |= holding or {self.any_of(group - members)}
        return parts

    def _denies(self, wire: Wire, group: frozenset[Wire]) -> bool:
        """Whether a wire only says that members of a group do not hold."""
        if wire & 1:
            return wire ^ 1 in group
        return wire >> 1 in self._none_of and self._none_of[wire >> 1] <= group

    def _remember_denial(self, gate: int, parts: set[Wire]) -> None:
        """Note that a gate says of some members of one group, and of nothing else, that they do not hold."""
        members: set[Wire] = set()
        for wire in parts:
            if wire & 1 and wire >> 1 in self._groups:
                members.add(wire ^ 1)
            elif not wire & 1 and wire >> 1 in self._none_of:
                members |= self._none_of[wire >> 1]
            else:
                return
        if len({id(self._groups[wire >> 1]) for wire in members}) == 1:
            self._none_of[gate] = frozenset(members)

    def all_of(self, wires: Iterable[Wire]) -> Wire:
        parts = set(wires)
        if self._groups and len(parts) > 1:
            parts = self._of_one_group(parts)
        parts.discard(TRUE)
        if FALSE in parts:
            return FALSE
        if len(parts) < 2:
            return parts.pop() if parts else TRUE
        for wire in parts:
            if wire ^ 1 in parts:
                return FALSE
        wire = self._gate(Op.AND, tuple(sorted(parts)))
        if self._groups:
            self._remember_denial(wire >> 1, parts)
        return wire

    def any_of(self, wires: Iterable[Wire]) -> Wire:
        return self.all_of([wire ^ 1 for wire in wires]) ^ 1

    def both(self, one: Wire, other: Wire) -> Wire:
        """`all_of` for two, which is asked for most often."""
        if one == other or other == TRUE:
            return one
        if one == TRUE:
            return other
        if one == FALSE or other == FALSE or one == other ^ 1:
            return FALSE
        if one >> 1 in self._groups and self._groups[one >> 1] is self._groups.get(other >> 1) and not one & other & 1:
            # Of a group exactly one holds: if both should, none can; if one should, the other does not anyway.
            return one if other & 1 else other if one & 1 else FALSE
        return self._gate(Op.AND, (one, other) if one < other else (other, one))

    def either(self, one: Wire, other: Wire) -> Wire:
        return self.both(one ^ 1, other ^ 1) ^ 1

    def differ(self, one: Wire, other: Wire) -> Wire:
        opposite = (one ^ other) & 1
        one, other = sorted((one & ~1, other & ~1))
        if one == other:
            return opposite
        if one == FALSE:
            return other ^ opposite
        return self._gate(Op.XOR, (one, other)) ^ opposite

    def select(self, condition: Wire, yes: Wire, no: Wire) -> Wire:
        if condition & 1:
            condition, yes, no = condition ^ 1, no, yes
        if condition == FALSE or yes == no:
            return no
        if yes == no ^ 1:
            return self.differ(condition, no)
        if yes <= TRUE or yes >> 1 == condition >> 1:
            return self._select_known(condition, no, holds=yes in (TRUE, condition))
        if no <= TRUE or no >> 1 == condition >> 1:
            if no in (TRUE, condition ^ 1):
                return self.either(condition ^ 1, yes)
            return self.both(condition, yes)
        opposite = yes & 1
        return self._gate(Op.SELECT, (condition, yes ^ opposite, no ^ opposite)) ^ opposite

    def _select_known(self, condition: Wire, no: Wire, *, holds: bool) -> Wire:
        return self.either(condition, no) if holds else self.both(condition ^ 1, no)

    def _gate(self, op: Op, wires: tuple[Wire, ...]) -> Wire:
        gate = Gate(op, wires)
        number = self._numbers.get(gate)
        if number is None:
            number = self._numbers[gate] = self._fresh(gate) >> 1
        return number << 1

    def _fresh(self, gate: Gate) -> Wire:
        if len(self.gates) >= self._most_gates:
            raise NetworkError(f"the network has more than {self._most_gates} gates")
        self.gates.append(gate)
        return (len(self.gates) - 1) << 1


def needed(network: Network, roots: Iterable[Wire], known: Container[int] = ()) -> list[int]:
    """The gates on which the roots depend, in order, but for those that are known; all others are dead."""
    found: set[int] = set()
    waiting = [wire >> 1 for wire in roots]
    while waiting:
        number = waiting.pop()
        if number not in found and number not in known:
            found.add(number)
            waiting += [wire >> 1 for wire in network.gates[number].wires]
    return sorted(found)


class Untied(NamedTuple):
    network: Network
    roots: tuple[Wire, ...]
    inputs: dict[Wire, Wire]
    """What has become of the inputs that are needed."""
    circles: int
    """In how many circles gates needed themselves."""


def untied(network: Network, roots: Sequence[Wire], most_gates: int = 5_000_000) -> Untied:
    """The same network without knots and without dead gates. Raises NetworkError if a circle passes a negation."""
    result = Network(most_gates)
    became: dict[int, Wire] = {0: FALSE}
    circles = 0
    for ring in _rings(network, roots):
        if len(ring) > 1 or _feeds_itself(network, ring[0]):
            circles += 1
            _solve(network, ring, result, became)
        else:
            _rebuild(network, ring[0], result, became)
    inputs = {number << 1: wire for number, wire in became.items() if network.gates[number].op is Op.INPUT}
    return Untied(result, tuple([became[wire >> 1] ^ wire & 1 for wire in roots]), inputs, circles)


class Copy:
    """Puts gates of a network without knots into another one, some of its inputs replaced by other wires there."""

    def __init__(self, network: Network, into: Network) -> None:
        self._network = network
        self._into = into
        self._became: dict[int, Wire] = {0: FALSE}

    def replace(self, wires: Iterable[Wire], by: Iterable[Wire]) -> None:
        self._became.update({wire >> 1: other for wire, other in zip(wires, by, strict=True)})

    def of(self, roots: Sequence[Wire]) -> list[Wire]:
        """The wires that mean there what the roots mean here."""
        for number in needed(self._network, roots, self._became):
            _rebuild(self._network, number, self._into, self._became)
        return [self._became[wire >> 1] ^ wire & 1 for wire in roots]


def _rebuild(network: Network, number: int, result: Network, became: dict[int, Wire]) -> None:
    gate = network.gates[number]
    wires = [became[wire >> 1] ^ wire & 1 for wire in gate.wires]
    if gate.op is Op.AND:
        became[number] = result.all_of(wires)
    elif gate.op is Op.XOR:
        became[number] = result.differ(*wires)
    elif gate.op is Op.SELECT:
        became[number] = result.select(*wires)
    elif gate.op is Op.KNOT:
        meaning = network.meanings[number]
        became[number] = became[meaning >> 1] ^ meaning & 1
    elif gate.op is Op.INPUT:
        became[number] = result.input()


def _solve(network: Network, ring: Sequence[int], result: Network, became: dict[int, Wire]) -> None:
    """Nothing holds at first; then every gate of the ring is asked again as often as news can take to go round."""
    inside = set(ring)
    polarity = _polarity(network, inside)
    knots = [number for number in ring if network.gates[number].op is Op.KNOT]
    order = sorted(number for number in ring if network.gates[number].op is not Op.KNOT)
    for knot in knots:
        became[knot] = FALSE ^ polarity[knot]
    for _ in range(len(knots)):
        before = [became[knot] for knot in knots]
        for number in order:
            _rebuild(network, number, result, became)
        for knot in knots:
            _rebuild(network, knot, result, became)
        if [became[knot] for knot in knots] == before:
            return
    for number in order:  # others may ask gates of the ring too, and want to know the last word
        _rebuild(network, number, result, became)


def _polarity(network: Network, ring: set[int]) -> dict[int, int]:
    """For each gate of a ring whether it stands for the opposite of what grows. Raises NetworkError if for both."""
    found: dict[int, int] = {}
    start = min(number for number in ring if network.gates[number].op is Op.KNOT)
    waiting = [(start, 0)]
    while waiting:
        number, sign = waiting.pop()
        if number in found:
            if found[number] != sign:
                raise NetworkError("a relation depends on its own opposite")
            continue
        found[number] = sign
        gate = network.gates[number]
        if gate.op in (Op.XOR, Op.SELECT):
            raise NetworkError("a circle of gates passes one that may turn it round")
        wires = [*gate.wires, *([network.meanings[number]] if gate.op is Op.KNOT else [])]
        waiting += [(wire >> 1, sign ^ wire & 1) for wire in wires if wire >> 1 in ring]
    return found


def _feeds_itself(network: Network, number: int) -> bool:
    return network.gates[number].op is Op.KNOT and network.meanings[number] >> 1 == number


def _rings(network: Network, roots: Sequence[Wire]) -> Iterable[list[int]]:
    """The strongly connected parts of what is needed, each after all that it needs (Tarjan, without recursion)."""
    gates, meanings = network.gates, network.meanings
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    for root in roots:
        if root >> 1 in index:
            continue
        work: list[tuple[int, Iterator[int]]] = [(root >> 1, iter(()))]
        while work:
            number, following = work[-1]
            if number not in index:
                index[number] = low[number] = len(index)
                stack.append(number)
                on_stack.add(number)
                gate = gates[number]
                wires = gate.wires if gate.op is not Op.KNOT else (meanings[number],)
                following = iter([wire >> 1 for wire in wires])
                work[-1] = (number, following)
            for child in following:
                if child not in index:
                    work.append((child, iter(())))
                    break
                if child in on_stack:
                    low[number] = min(low[number], index[child])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[number])
                if low[number] == index[number]:
                    ring = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        ring.append(member)
                        if member == number:
                            break
                    yield ring
