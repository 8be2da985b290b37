"""A game as a network: what its wires mean. Kernels are written from it; the words stay with whoever made it."""

from typing import NamedTuple

from kernels.network import Network, Wire


class Deed(NamedTuple):
    """What a role does: one of its moves, and for each chance variable that the move names an event."""

    move: int
    draws: tuple[tuple[int, int], ...] = ()


class Circuit(NamedTuple):
    """A game as a network. What is true and what is done are inputs; everything else follows from them."""

    network: Network
    start: tuple[bool, ...]
    true: tuple[Wire, ...]
    following: tuple[Wire, ...]
    legal: tuple[tuple[Wire, ...], ...]
    deeds: tuple[tuple[Deed, ...], ...]
    does: tuple[tuple[Wire, ...], ...]
    goals: tuple[tuple[Wire, ...], ...]
    terminal: Wire
    chances: tuple[tuple[tuple[tuple[int, Wire], ...], ...], ...] = ()
    """By chance variable and event: weights and where they count; what counts at the same time is added."""
