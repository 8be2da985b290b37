"""AI structure composition: an ordered list of elements that always plays.

The list reads from left to right by priority. The first element's best class decides; each later element orders what
the earlier ones left tied; what is still tied goes to the lowest piece id. Observing orders according to the host,
which is the first basic strategy of the list; Lingering replaces the host while an opponent stands on a goal.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from games.jostle import JostleMove, JostlePosition
from npc.decision import Decision, Explanation, Verdict
from npc.elements import ELEMENTS, Element, Memory
from npc.player import Choice, again_with, is_roll_question, move_with
from npc.situation import Seed, Situation

Memories = tuple[Memory, ...]
"""What each element of a list remembers, in the list's order."""

_PANIC: Final = ELEMENTS["ADVANCER"]
_BY_FOLDED_NAME: Final = {name.casefold(): element for name, element in ELEMENTS.items()}


class StrategyError(ValueError):
    """A text that names no strategy. The message says what was expected and what came."""


@dataclass(frozen=True)
class Strategy:
    """A composed strategy. Its name is the list in reading order, so name and list say exactly the same."""

    elements: tuple[Element, ...]

    def __post_init__(self) -> None:
        names = [element.name for element in self.elements]
        if repeated := next((name for name in names if names.count(name) > 1), None):
            raise StrategyError(f"a strategy names each element once, but {' '.join(names)!r} repeats {repeated}")
        if not any(element.is_basic for element in self.elements):
            basics = ", ".join(name for name, element in ELEMENTS.items() if element.is_basic)
            raise StrategyError(f"a strategy needs a basic element ({basics}), but {' '.join(names)!r} has none")
        if len(names) == len(ELEMENTS):
            raise StrategyError(f"a strategy leaves out at least one of the {len(ELEMENTS)} elements")

    @cached_property
    def name(self) -> str:
        return " ".join(element.name for element in self.elements)

    def __str__(self) -> str:
        return self.name

    @cached_property
    def host(self) -> Element:
        """The first basic strategy of the list."""
        return next(element for element in self.elements if element.is_basic)

    @cached_property
    def lingers(self) -> bool:
        return any(element.name == "Lingering" for element in self.elements)

    @cached_property
    def line_up(self) -> tuple[tuple[Element, int], ...]:
        """The elements that play while all is calm, each with its place in the list, which is where its memory is."""
        return tuple((element, place) for place, element in enumerate(self.elements))

    @cached_property
    def panic_line_up(self) -> tuple[tuple[Element, int], ...]:
        """What plays while Lingering panics: without the host if the list has another basic strategy, else with
        ADVANCER in the host's place. ADVANCER needs no memory, so any place will do.
        """
        if sum(element.is_basic for element in self.elements) > 1:
            return tuple(pair for pair in self.line_up if pair[0] is not self.host)
        return tuple((_PANIC if element is self.host else element, place) for element, place in self.line_up)

    def playing(self, situation: Situation) -> tuple[tuple[tuple[Element, int], ...], Element]:
        """Who plays in this situation, and who of them is the host."""
        if self.lingers and situation.opponent_on_goal():
            line_up = self.panic_line_up
            return line_up, next(element for element, _ in line_up if element.is_basic)
        return self.line_up, self.host

    def start_memory(self) -> Memories:
        return tuple(element.start_memory() for element in self.elements)

    def remember(self, memory: Memories, before: JostlePosition, move: JostleMove) -> Memories:
        """The memory after `move`, of any seat or of chance, was played in the position `before`."""
        if not self._remembers:
            return memory
        return tuple(
            element.remember(known, before, move) for element, known in zip(self.elements, memory, strict=True)
        )

    @cached_property
    def _remembers(self) -> bool:
        return any(element.remembers for element in self.elements)

    def decide(self, position: JostlePosition, memory: Memories, seed: Seed, ply: int) -> Decision:
        """A legal move for the seat to act, determined by the arguments alone."""

        def choose(situation: Situation) -> Choice:
            return self._choose(situation, memory)

        situation = Situation(position, seed, ply)
        return again_with(situation, choose) if is_roll_question(position) else move_with(situation, choose)

    def _choose(self, situation: Situation, memory: Memories) -> Choice:
        line_up, host = self.playing(situation)
        tied = situation.movable
        for element, place in line_up:
            if len(tied) == 1:
                break
            tied = best_class(element, situation, tied, memory[place], host)
        return Choice(tied[0], lambda: self._explain(situation, memory))

    def _explain(self, situation: Situation, memory: Memories) -> Explanation:
        line_up, host = self.playing(situation)
        tied = situation.movable
        if len(tied) == 1:
            return Explanation("rules", f"Only piece {tied[0]} can move.")
        verdicts = []
        for element, place in line_up:
            if len(tied) == 1:
                break
            kept = best_class(element, situation, tied, memory[place], host)
            reasons = {piece: element.reason(situation, piece, memory[place], host) for piece in tied}
            verdicts.append(Verdict(element.name, tied, kept, f"{element.name} – {_told(reasons)}."))
            tied = kept
        if len(tied) > 1:
            verdicts.append(Verdict("lowest id", tied, tied[:1], f"Still tied: {_listed(tied)}; the lowest id goes."))
        decided_by = next(verdict.element for verdict in reversed(verdicts) if verdict.decided)
        words = " ".join(verdict.words for verdict in verdicts)
        return Explanation(decided_by, f"{words} So piece {tied[0]} moves, decided by {decided_by}.", tuple(verdicts))


def best_class(
    element: Element, situation: Situation, tied: tuple[int, ...], memory: Memory, host: Element
) -> tuple[int, ...]:
    """Those of the tied pieces that the element ranks best, lowest id first."""
    ranks = [element.rank(situation, piece, memory, host) for piece in tied]
    best = min(ranks)
    return tuple(piece for piece, rank in zip(tied, ranks, strict=True) if rank == best)


def partition(element: Element, situation: Situation, memory: Memory, host: Element) -> tuple[tuple[int, ...], ...]:
    """The element's ordered partition of all movable pieces, best class first."""
    ranks = {piece: element.rank(situation, piece, memory, host) for piece in situation.movable}
    return tuple(
        tuple(piece for piece in situation.movable if ranks[piece] == rank) for rank in sorted(set(ranks.values()))
    )


def strategy(text: str) -> Strategy:
    """Reads "Observing PALS" or "observing,pals": elements by priority, separated by spaces or commas.

    Raises StrategyError.
    """
    words = [word for word in re.split(r"[\s,]+", text) if word]
    if not words:
        raise StrategyError(f"a strategy is a list of elements like 'Observing PALS', not {text[:60]!r}")
    unknown = next((word for word in words if word.casefold() not in _BY_FOLDED_NAME), None)
    if unknown is not None:
        raise StrategyError(f"{unknown[:40]!r} is no element; the elements are {', '.join(ELEMENTS)}")
    return Strategy(tuple(_BY_FOLDED_NAME[word.casefold()] for word in words))


def explain_in_words(composed: Strategy) -> str:
    """What a composed strategy does, for researchers: a sentence for each element by priority."""
    lines = [f"{composed.name} asks its elements in this order; each decides among what the earlier ones left tied."]
    for number, element in enumerate(composed.elements, start=1):
        lines.append(f"{number}. {element.name} {element.meaning}.")
    if composed.lingers:
        panic = " ".join(element.name for element, _ in composed.panic_line_up)
        lines.append(f"While an opponent stands on a goal it plays {panic}.")
    lines.append("What is then still tied goes to the lowest piece id.")
    limit = "the last field minus twelve"
    lines.append(f"After a six it rolls again while the piece that it would move with six stands below {limit}.")
    return "\n".join(lines)


def _listed(pieces: Iterable[int]) -> str:
    return " and ".join(map(str, pieces))


def _told(reasons: dict[int, str]) -> str:
    """The reasons, each once, with the pieces that it holds for."""
    by_reason: dict[str, list[int]] = {}
    for piece, reason in reasons.items():
        by_reason.setdefault(reason, []).append(piece)
    return "; ".join(f"{_listed(pieces)}: {reason}" for reason, pieces in by_reason.items())
