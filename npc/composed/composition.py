"""AI structure composition: an ordered list of elements that always plays.

The list reads from left to right by priority. The first element's best class decides; each later element orders what
the earlier ones left tied; what is still tied goes to the first move in the order of the rules. The host is the first
basic strategy of the list; some symbionts order according to it, and a symbiont that panics ousts it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from games.protocol import Move, Position, Seat
from npc.composed.element import Element, Memory
from npc.composed.school import Choice, School
from npc.composed.situation import Situation
from npc.decision import Decision, Explanation, Narrowing
from npc.player import Player, PlayerError, Seed

KEY = "composed"
AnyElement = Element[Any]
Memories = tuple[Memory, ...]
"""What each element of a list remembers, in the list's order."""


class StrategyError(PlayerError):
    """A text that names no strategy. The message says what was expected and what came."""


@dataclass(frozen=True)
class Strategy(Player):
    """A composed strategy. Its name is the list in reading order, so name and list say exactly the same."""

    elements: tuple[AnyElement, ...]
    school: School = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        names, pool = [element.name for element in self.elements], self.school.elements
        if repeated := next((name for name in names if names.count(name) > 1), None):
            raise StrategyError(f"a strategy names each element once, but {' '.join(names)!r} repeats {repeated}")
        if not any(element.is_basic for element in self.elements):
            basics = ", ".join(name for name, element in pool.items() if element.is_basic)
            raise StrategyError(f"a strategy needs a basic element ({basics}), but {' '.join(names)!r} has none")
        if len(names) == len(pool):
            raise StrategyError(f"a strategy leaves out at least one of the {len(pool)} elements")

    @cached_property
    def name(self) -> str:
        return " ".join(element.name for element in self.elements)

    @property
    def text(self) -> str:
        return f"{KEY}:{self.name}"

    def __str__(self) -> str:
        return self.name

    @cached_property
    def heavy(self) -> bool:
        return any(element.heavy for element in self.elements)

    @cached_property
    def host(self) -> AnyElement:
        """The first basic strategy of the list."""
        return next(element for element in self.elements if element.is_basic)

    @cached_property
    def panicker(self) -> AnyElement | None:
        """The symbiont of the list that may oust the host."""
        return next((element for element in self.elements if element.panics_to is not None), None)

    @cached_property
    def line_up(self) -> tuple[tuple[AnyElement, int], ...]:
        """The elements that play while all is calm, each with its place in the list, which is where its memory is."""
        return tuple((element, place) for place, element in enumerate(self.elements))

    @cached_property
    def panic_line_up(self) -> tuple[tuple[AnyElement, int], ...]:
        """What plays while the host is ousted: without it if the list has another basic strategy, else with the
        panicker's own choice in its place, which needs no memory, so any place will do.
        """
        assert self.panicker is not None and self.panicker.panics_to is not None, "somebody panics"
        if sum(element.is_basic for element in self.elements) > 1:
            return tuple(pair for pair in self.line_up if pair[0] is not self.host)
        instead = self.school.elements[self.panicker.panics_to]
        return tuple((instead if element is self.host else element, place) for element, place in self.line_up)

    def playing(self, situation: Situation) -> tuple[tuple[tuple[AnyElement, int], ...], AnyElement]:
        """Who plays in this situation, and who of them is the host."""
        if self.panicker is not None and self.panicker.panics(situation):
            line_up = self.panic_line_up
            return line_up, next(element for element, _ in line_up if element.is_basic)
        return self.line_up, self.host

    def start_memory(self) -> Memories:
        return tuple(element.start_memory() for element in self.elements)

    def remember(self, memory: Memories, before: Position, move: Move) -> Memories:
        if not self._remembers:
            return memory
        return tuple(
            element.remember(known, before, move) for element, known in zip(self.elements, memory, strict=True)
        )

    @cached_property
    def _remembers(self) -> bool:
        return any(element.remembers for element in self.elements)

    def decide(self, position: Position, seat: Seat, memory: Memories, seed: Seed, ply: int) -> Decision:
        def choose(situation: Situation) -> Choice:
            return self._choose(situation, memory)

        return self.school.decide(position, seat, seed, ply, choose)

    def _choose(self, situation: Situation, memory: Memories) -> Choice:
        line_up, host = self.playing(situation)
        tied = situation.moves
        for element, place in line_up:
            if len(tied) == 1:
                break
            tied = best_class(element, situation, tied, memory[place], host)
        return Choice(tied[0], lambda: self._explain(situation, memory))

    def _explain(self, situation: Situation, memory: Memories) -> Explanation:
        line_up, host = self.playing(situation)
        tied, called = situation.moves, situation.called
        if len(tied) == 1:
            return Explanation("rules", f"Only {called(tied[0])} is possible.")
        narrowings = []
        for element, place in line_up:
            if len(tied) == 1:
                break
            kept = best_class(element, situation, tied, memory[place], host)
            reasons = {move: element.reason(situation, move, memory[place], host) for move in tied}
            words = f"{element.name} – {_told(situation, reasons)}."
            narrowings.append(Narrowing(element.name, _texts(tied), _texts(kept), words))
            tied = kept
        if len(tied) > 1:
            last = self.school.last_resort(tied[0])
            words = f"Still tied: {_listed(situation, tied)}; {last} goes."
            narrowings.append(Narrowing(last, _texts(tied), _texts(tied[:1]), words))
        decided_by = next(each.element for each in reversed(narrowings) if each.decided)
        words = " ".join(each.words for each in narrowings)
        whole = f"{words} So it is {called(tied[0])}, decided by {decided_by}."
        return Explanation(decided_by, whole, tuple(narrowings))


def best_class(
    element: AnyElement, situation: Situation, tied: tuple[Any, ...], memory: Memory, host: AnyElement
) -> tuple[Any, ...]:
    """Those of the tied moves that the element ranks best, in the order of the rules."""
    ranks = [element.rank(situation, move, memory, host) for move in tied]
    best = min(ranks)
    return tuple([move for move, rank in zip(tied, ranks, strict=True) if rank == best])


def partition(
    element: AnyElement, situation: Situation, memory: Memory, host: AnyElement
) -> tuple[tuple[Any, ...], ...]:
    """The element's ordered partition of all moves, best class first."""
    ranks = {move: element.rank(situation, move, memory, host) for move in situation.moves}
    return tuple(tuple(move for move in situation.moves if ranks[move] == rank) for rank in sorted(set(ranks.values())))


def compose(text: str, school: School) -> Strategy:
    """Reads "Observing PALS" or "observing,pals": elements by priority, separated by spaces or commas.

    Raises StrategyError.
    """
    words = [word for word in re.split(r"[\s,]+", text) if word]
    if not words:
        raise StrategyError(f"a strategy is a list of elements like 'Observing PALS', not {text[:60]!r}")
    pool = {name.casefold(): element for name, element in school.elements.items()}
    unknown = next((word for word in words if word.casefold() not in pool), None)
    if unknown is not None:
        raise StrategyError(f"{unknown[:40]!r} is no element; the elements are {', '.join(school.elements)}")
    return Strategy(tuple(pool[word.casefold()] for word in words), school)


def explain_in_words(composed: Strategy) -> str:
    """What a composed strategy does, for researchers: a sentence for each element by priority."""
    lines = [f"{composed.name} asks its elements in this order; each decides among what the earlier ones left tied."]
    lines += [f"{number}. {each.name} {each.meaning}." for number, each in enumerate(composed.elements, start=1)]
    return "\n".join([*lines, *composed.school.afterwards(composed)])


def _texts(moves: Iterable[Move]) -> tuple[str, ...]:
    return tuple(map(str, moves))


def _listed(situation: Situation, moves: Iterable[Move]) -> str:
    return " and ".join(map(situation.called, moves))


def _told(situation: Situation, reasons: dict[Move, str]) -> str:
    """The reasons, each once, with the moves that it holds for."""
    by_reason: dict[str, list[Move]] = {}
    for move, reason in reasons.items():
        by_reason.setdefault(reason, []).append(move)
    return "; ".join(f"{_listed(situation, moves)}: {reason}" for reason, moves in by_reason.items())
