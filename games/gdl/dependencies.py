"""Which relations of a description need which, and in which order they can be computed.

Relations that need each other form a component. Components come in an order in which each needs only earlier ones, and
itself. `layer` tells when a relation can be known: once and for all, in a state, or only with a joint move.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from games.gdl.terms import Rule, Signature

STATE_GIVEN: Final[Signature] = ("true", 1)
MOVES_GIVEN: Final[Signature] = ("does", 2)


class Layer(IntEnum):
    """What has to be known before a relation can be computed."""

    ALWAYS = 0
    STATE = 1
    MOVE = 2


class Component(NamedTuple):
    """Relations that need each other, with the rules that conclude them."""

    relations: tuple[Signature, ...]
    rules: tuple[Rule, ...]
    recursive: bool
    denied: tuple[Rule, ...]
    """Rules that negate a relation of the component itself: it is not stratified."""
    layer: Layer


def needs(rules: Iterable[Rule]) -> dict[Signature, set[Signature]]:
    """For every relation that is concluded or asked for, the relations that its rules ask for."""
    found: dict[Signature, set[Signature]] = {}
    for rule in rules:
        asked = found.setdefault(rule.signature, set())
        for literal in rule.body:
            if not literal.is_distinct:
                asked.add(literal.signature)
                found.setdefault(literal.signature, set())
    return found


def components(
    rules: Iterable[Rule], given: Mapping[Signature, Layer] | None = None, wanted: Iterable[Signature] | None = None
) -> tuple[Component, ...]:
    """All components, or those that the wanted relations need, in order. `given` are relations from outside."""
    rules = tuple(rules)
    outside = {STATE_GIVEN: Layer.STATE, MOVES_GIVEN: Layer.MOVE} if given is None else given
    graph = needs(rules)
    concluding: dict[Signature, list[Rule]] = {}
    for rule in rules:
        concluding.setdefault(rule.signature, []).append(rule)
    layers: dict[Signature, Layer] = dict(outside)
    found = []
    for relations in _strongly_connected(graph, graph if wanted is None else wanted):
        if any(relation in outside for relation in relations):
            continue
        own = tuple([rule for relation in relations for rule in concluding.get(relation, ())])
        inside = frozenset(relations)
        layer = max([layers.get(need, Layer.ALWAYS) for relation in relations for need in graph[relation]], default=0)
        for relation in relations:
            layers[relation] = Layer(layer)
        recursive = any(literal.signature in inside for rule in own for literal in rule.body if not literal.is_distinct)
        denied = tuple([rule for rule in own if any(each.negated and each.signature in inside for each in rule.body)])
        found.append(Component(relations, own, recursive, denied, Layer(layer)))
    return tuple(found)


def reachable(graph: Mapping[Signature, set[Signature]], start: Iterable[Signature]) -> set[Signature]:
    """Everything that the relations at the start need, directly or not; themselves included."""
    found = set()
    waiting = [relation for relation in start if relation in graph]
    while waiting:
        relation = waiting.pop()
        if relation not in found:
            found.add(relation)
            waiting += graph[relation]
    return found


def _strongly_connected(
    graph: Mapping[Signature, set[Signature]], start: Iterable[Signature]
) -> list[tuple[Signature, ...]]:
    """Tarjan's components, needed ones first. Without recursion: descriptions may have long chains."""
    numbers: dict[Signature, int] = {}
    lowest: dict[Signature, int] = {}
    stack: list[Signature] = []
    on_stack: set[Signature] = set()
    found: list[tuple[Signature, ...]] = []
    for root in start:
        if root in numbers or root not in graph:
            continue
        path = [(root, iter(sorted(graph[root])))]
        numbers[root] = lowest[root] = len(numbers)
        stack.append(root)
        on_stack.add(root)
        while path:
            relation, waiting = path[-1]
            for need in waiting:
                if need not in numbers:
                    numbers[need] = lowest[need] = len(numbers)
                    stack.append(need)
                    on_stack.add(need)
                    path.append((need, iter(sorted(graph[need]))))
                    break
                if need in on_stack:
                    lowest[relation] = min(lowest[relation], numbers[need])
            else:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[relation])
                if lowest[relation] == numbers[relation]:
                    cut = stack.index(relation)
                    found.append(tuple(stack[cut:]))
                    on_stack.difference_update(stack[cut:])
                    del stack[cut:]
    return found
