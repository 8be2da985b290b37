"""What a kernel has to know about a game that takes turns, to play it through its network: no words, only numbers."""

from typing import NamedTuple

from kernels.positions import Bits, Layout


class Turns(NamedTuple):
    """A position of a game without chance and secrets in which one role has a choice at a time."""

    layout: Layout
    bits: Bits
    """What is true."""
    waiting: tuple[Bits, ...]
    """By role and move: whether a role that can do only this has no choice, and is not asked."""
    deeds: tuple[tuple[int, ...], ...]
    """By role and move: the number of the deed."""
    points: tuple[tuple[float | None, ...], ...]
    """By role and goal: what it is worth, from 0 to 100."""
