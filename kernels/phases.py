"""Whose turn it is, found in the network: facts of which at most one is ever true, and which moves belong to which.

Most games are played in turns, but no description says so in one place. That two facts are never true together is
proved by induction: they are not at first, and if no such pair is true together in a position, then none is in the
next. For this it suffices to know which facts a wire implies by its ands and ors. Where moves of different roles, or of
one role in different turns, belong to facts that exclude each other, one draw serves them all.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from kernels.circuit import Circuit
from kernels.network import FALSE, TRUE, Op, Wire

CANDIDATES: Final = 24
"""Facts that are tried: those on which most moves depend."""
MOST_IMPLIED: Final = 64
"""What is remembered of a wire; forgetting some of what it implies can only miss a proof."""


class Phases:
    """By role and move: the wire of a fact, or of its opposite, that holds whenever the move is legal; None if there is
    none, or if a role has moves whose wires may hold at the same time."""

    def __init__(self, circuit: Circuit) -> None:
        implied = _Implied(circuit)
        facts = {wire: fact for fact, wire in enumerate(circuit.true)}
        legal = [[implied.of(wire) for wire in row] for row in circuit.legal]
        asked = Counter([facts[wire] for row in legal for found in row for wire in sorted(found) if wire in facts])
        candidates = [fact for fact, _ in asked.most_common(CANDIDATES)]
        chosen = [circuit.true[fact] for fact in _excluding_each_other(circuit, implied, candidates)]
        self._chosen = frozenset(chosen)
        told = [*chosen, *[wire ^ 1 for wire in chosen]]
        self.of_moves = [[next((wire for wire in told if wire in found), None) for found in row] for row in legal]

    def exclude_each_other(self, one: Wire | None, other: Wire | None) -> bool:
        """Whether two of the wires never hold at the same time."""
        if one is None or other is None:
            return False
        return one == other ^ 1 or (one != other and one in self._chosen and other in self._chosen)


def _excluding_each_other(circuit: Circuit, implied: "_Implied", candidates: Sequence[int]) -> list[int]:
    """Facts of which no two are ever true together, those that were named first preferred."""
    pairs = {
        frozenset(pair)
        for pair in combinations(candidates, 2)
        if not (circuit.start[pair[0]] and circuit.start[pair[1]])
    }
    facts = {wire: fact for fact, wire in enumerate(circuit.true)}
    role_of = {wire: role for role, row in enumerate(circuit.does) for wire in row}

    def contradict(one: Wire, other: Wire) -> bool:
        if one == other ^ 1:
            return True
        if one in facts and other in facts:
            return frozenset((facts[one], facts[other])) in pairs
        return one != other and one in role_of and role_of[one] == role_of.get(other)

    def kept(pair: frozenset[int]) -> bool:
        one, other = [implied.of(circuit.following[fact]) for fact in pair]
        return any(contradict(a, b) for a in one for b in other)

    while True:
        proved = {pair for pair in pairs if kept(pair)}
        if proved == pairs:
            break
        pairs = proved
    chosen: list[int] = []
    for fact in candidates:
        if all(frozenset((fact, other)) in pairs for other in chosen):
            chosen.append(fact)
    return chosen


class _Implied:
    """The inputs, or their opposites, that hold wherever a wire holds, as far as ands and ors tell."""

    def __init__(self, circuit: Circuit) -> None:
        self._gates = circuit.network.gates
        self._known: dict[Wire, frozenset[Wire]] = {FALSE: frozenset({FALSE, TRUE}), TRUE: frozenset()}
        self._conditions = {
            wire: circuit.legal[role][deed.move]
            for role, (deeds, wires) in enumerate(zip(circuit.deeds, circuit.does, strict=True))
            for deed, wire in zip(deeds, wires, strict=True)
        }
        """What is done was legal."""

    def of(self, wire: Wire) -> frozenset[Wire]:
        waiting = [wire]
        while waiting:
            one = waiting[-1]
            if one in self._known:
                waiting.pop()
                continue
            parts = self._parts(one)
            missing = [part for part in parts if part not in self._known]
            if missing:
                waiting += missing
                continue
            self._known[one] = self._joined(one, [self._known[part] for part in parts])
        return self._known[wire]

    def _parts(self, wire: Wire) -> Sequence[Wire]:
        gate = self._gates[wire >> 1]
        if gate.op is Op.AND:
            return [part ^ wire & 1 for part in gate.wires]
        return [self._conditions[wire]] if wire in self._conditions else []

    def _joined(self, wire: Wire, parts: list[frozenset[Wire]]) -> frozenset[Wire]:
        gate = self._gates[wire >> 1]
        if gate.op is Op.INPUT:
            found = frozenset({wire}).union(*parts)
        elif gate.op is Op.AND:
            found = frozenset.intersection(*parts) if wire & 1 else frozenset().union(*parts)
        else:
            found = frozenset()
        if len(found) > MOST_IMPLIED:
            # What is true tells more than what is not.
            return frozenset(sorted(found, key=lambda one: (one & 1, one))[:MOST_IMPLIED])
        return found
