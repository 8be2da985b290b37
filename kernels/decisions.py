"""What every role does in a random move, written into a network: its moves drawn with equal chances, chance by weights.

A role whose moves all belong to phases (see `kernels.phases`) shares its draws: the moves of one phase and those of
another are never legal together, so the first move of each stands in one place of the tree, and so on.
"""

from collections.abc import Callable
from functools import partial, reduce
from itertools import combinations, zip_longest
from typing import NamedTuple

from kernels.choice import Choice, added, draw, weighted
from kernels.circuit import Circuit
from kernels.network import FALSE, Copy, Network, Wire
from kernels.phases import Phases


class Made(NamedTuple):
    """What was decided."""

    done: list[list[Wire]]
    """By role: which deed it is."""
    fits: Wire
    """Whether all random numbers fitted; if not, nothing may happen."""
    stuck: Wire
    """Whether a role has nothing that it could do."""


class _Share(NamedTuple):
    """The moves of a role in a phase."""

    role: int
    phase: Wire
    moves: list[int]


class Decisions:
    def __init__(self, network: Network, copy: Copy, circuit: Circuit, random: Callable[[], Wire]) -> None:
        self._network = network
        self._copy = copy
        self._circuit = circuit
        self._random = random
        self._phases = Phases(circuit)
        self._fits: list[Wire] = []
        self._chosen: list[dict[int, Wire]] = [{} for _ in circuit.legal]
        """By role and move: whether it was drawn."""
        self._can: list[list[Wire]] = [[] for _ in circuit.legal]
        """By role: wires of which one holds if it has a move."""

    def made(self) -> Made:
        circuit, network = self._circuit, self._network
        drawn = [self._events(role) for role in range(len(circuit.legal))]
        by_turns: list[_Share] = []
        for role, found in enumerate(self._phases.of_moves):
            phases = [phase for phase in dict.fromkeys(found) if phase is not None]
            apart = all(self._phases.exclude_each_other(*pair) for pair in combinations(phases, 2))
            if drawn[role] or None in found or not apart:
                self._apart(role, drawn[role])
                continue
            by_turns += [
                _Share(role, phase, [move for move, one in enumerate(found) if one == phase]) for phase in phases
            ]
        self._together(by_turns)
        done = [
            [
                network.all_of(
                    [self._chosen[role][deed.move], *[drawn[role][name].chosen[event] for name, event in deed.draws]]
                )
                for deed in deeds
            ]
            for role, deeds in enumerate(circuit.deeds)
        ]
        stuck = network.any_of([network.any_of(can) ^ 1 for can in self._can])
        return Made(done, network.all_of(self._fits), stuck)

    # ------------------------------------------------------------------------------------------ a role by itself

    def _events(self, role: int) -> dict[int, Choice]:
        """For each chance variable that the role's moves name: the event that is drawn for it."""
        network = self._network
        drawn = {}
        for name in sorted({name for deed in self._circuit.deeds[role] for name, _ in deed.draws}):
            weights = []
            for event in self._circuit.chances[name]:
                wires = self._copy.of([wire for _, wire in event])
                parts = [weighted(wire, weight) for wire, (weight, _) in zip(wires, event, strict=True)]
                weights.append((reduce(partial(added, network), parts), sum([weight for weight, _ in event])))
            drawn[name] = draw(network, weights, self._random)
        return drawn

    def _apart(self, role: int, drawn: dict[int, Choice]) -> None:
        """A draw for this role alone. A move that leaves something to chance is possible if chance has an event."""
        network = self._network
        names = {deed.move: [name for name, _ in deed.draws] for deed in self._circuit.deeds[role]}
        playable = [
            network.all_of([wire, *[drawn[name].none ^ 1 for name in names.get(move, ())]])
            for move, wire in enumerate(self._copy.of(self._circuit.legal[role]))
        ]
        choice = draw(network, [((wire,), 1) for wire in playable], self._random)
        self._chosen[role] = dict(enumerate(choice.chosen))
        self._can[role].append(choice.none ^ 1)
        self._fits.append(network.either(choice.accepted, choice.none))
        for name, chance in drawn.items():
            used = network.any_of([choice.chosen[move] for move, row in names.items() if name in row])
            self._fits.append(network.either(chance.accepted, used ^ 1))

    # ---------------------------------------------------------------------------------------------- roles by turns

    def _together(self, shares: list[_Share]) -> None:
        """One draw for as many shares as exclude each other, the largest first."""
        network, circuit = self._network, self._circuit
        groups: list[list[_Share]] = []
        for share in sorted(shares, key=lambda share: -len(share.moves)):
            if len(share.moves) == 1:
                (wire,) = self._copy.of([circuit.legal[share.role][share.moves[0]]])
                self._chosen[share.role][share.moves[0]] = wire
                self._can[share.role].append(wire)
                continue
            for group in groups:
                if all(self._phases.exclude_each_other(share.phase, other.phase) for other in group):
                    group.append(share)
                    break
            else:
                groups.append([share])
        for group in groups:
            legal = [self._copy.of([circuit.legal[share.role][move] for move in share.moves]) for share in group]
            places = [network.any_of(wires) for wires in zip_longest(*legal, fillvalue=FALSE)]
            choice = draw(network, [((wire,), 1) for wire in places], self._random)
            self._fits.append(network.either(choice.accepted, choice.none))
            for share in group:
                (now,) = self._copy.of([share.phase])
                for move, chosen in zip(share.moves, choice.chosen, strict=False):
                    self._chosen[share.role][move] = network.both(chosen, now)
                self._can[share.role].append(network.both(choice.none ^ 1, now))
