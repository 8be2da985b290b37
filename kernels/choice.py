"""Whole numbers in planes, and drawing one of several possibilities with their help.

A number is a row of wires, the smallest bit first: 128 positions side by side have 128 numbers. Possibilities stand in
a tree whose nodes know how much weight lies below them; a random number below the total goes down the tree, to the left
if it is smaller than what lies there, else to the right, less by that. So every possibility is drawn exactly as often
as its weight says. The random number is made by trying: random bits, as many as the total needs, count if they are
below it. Where none of the tries was, nothing is accepted, and whoever asked tries again the next time. (To try until
all have a number was slower for small games: the last of 128 lanes keeps all the others waiting.)
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from kernels.network import FALSE, TRUE, Network, Wire

Number = tuple[Wire, ...]

TRIES: Final = 3


class Choice(NamedTuple):
    chosen: tuple[Wire, ...]
    """Which possibility was drawn."""
    accepted: Wire
    """Whether one was drawn."""
    none: Wire
    """Whether there is nothing to draw from."""


class _Node(NamedTuple):
    weight: Number
    most: int
    parts: tuple["_Node", ...] = ()


def weighted(wire: Wire, weight: int) -> Number:
    """The weight where the wire holds, else zero."""
    return tuple([wire if weight >> bit & 1 else FALSE for bit in range(weight.bit_length())])


def draw(network: Network, weights: Sequence[tuple[Number, int]], random: Callable[[], Wire]) -> Choice:
    """Draws one of several possibilities, given by weights and what these are at most."""
    if not weights:
        return Choice((), TRUE, TRUE)
    nodes = [_Node(weight, most) for weight, most in weights]
    while len(nodes) > 1:
        pairs = [nodes[place : place + 2] for place in range(0, len(nodes), 2)]
        nodes = [_joined(network, *pair) if len(pair) == 2 else pair[0] for pair in pairs]
    root = nodes[0]
    number, accepted = _below(network, root, random)
    chosen: list[Wire] = []
    waiting = [(root, number, TRUE)]
    while waiting:
        node, number, here = waiting.pop()
        if not node.parts:
            chosen.append(here)
            continue
        left, right = node.parts
        rest, smaller = subtracted(network, number, left.weight)
        waiting.append((right, rest[: _bits(right)], network.both(here, smaller ^ 1)))
        waiting.append((left, number[: _bits(left)], network.both(here, smaller)))
    return Choice(tuple(chosen), accepted, network.all_of([wire ^ 1 for wire in root.weight]))


def _joined(network: Network, left: _Node, right: _Node) -> _Node:
    most = left.most + right.most
    return _Node(added(network, left.weight, right.weight)[: most.bit_length()], most, (left, right))


def _bits(node: _Node) -> int:
    """How many bits a number below the node's weight has at most."""
    return (node.most - 1).bit_length()


def _below(network: Network, root: _Node, random: Callable[[], Wire]) -> tuple[Number, Wire]:
    """A random number below the root's weight, and whether it is one."""
    bits = _bits(root)
    if not bits:
        return (), TRUE
    last, _ = subtracted(network, root.weight, (TRUE,))
    mask = [network.any_of(last[bit:bits]) for bit in range(bits)]
    number: Number = ()
    accepted = FALSE
    for attempt in range(TRIES):
        bid = tuple([network.both(random(), wire) for wire in mask])
        _, fits = subtracted(network, bid, root.weight)
        number = bid if not attempt else tuple(map(network.select, [accepted] * bits, number, bid))
        accepted = network.either(accepted, fits)
    return number, accepted


def added(network: Network, one: Number, other: Number) -> Number:
    """The sum, with one bit more than the longer number."""
    result, carry = [], FALSE
    for a, b in _aligned(one, other):
        differ = network.differ(a, b)
        result.append(network.differ(differ, carry))
        carry = network.select(differ, carry, a)
    return (*result, carry)


def subtracted(network: Network, one: Number, other: Number) -> tuple[Number, Wire]:
    """The difference, with as many bits as the longer number, and whether the first number is smaller."""
    result, borrow = [], FALSE
    for a, b in _aligned(one, other):
        differ = network.differ(a, b)
        result.append(network.differ(differ, borrow))
        borrow = network.select(differ, b, borrow)
    return tuple(result), borrow


def _aligned(one: Number, other: Number) -> list[tuple[Wire, Wire]]:
    length = max(len(one), len(other))
    return list(zip((*one, *[FALSE] * (length - len(one))), (*other, *[FALSE] * (length - len(other))), strict=True))
