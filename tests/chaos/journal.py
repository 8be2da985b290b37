"""What the platform has acknowledged to the probands, and what they saw that must never be seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

UNAVAILABLE = 503
"""What the platform may answer while its database is away."""

AnswerPlace = tuple[int, int, str, int | None]
"""Match, person, item, seat."""


@dataclass
class Journal:
    told: dict[int, dict[int, str]] = field(default_factory=dict)
    """Match → ply → move, as somebody was told."""
    sent: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict)
    """(match, ply) → (seat, move), as a proband has played."""
    ended: dict[int, tuple[list[int], list[int]]] = field(default_factory=dict)
    """Match → scores and winners."""
    answered: dict[AnswerPlace, object] = field(default_factory=dict)
    finished: set[tuple[int, int]] = field(default_factory=set)
    """Match and person of questionnaires that were accepted as a whole."""
    done: dict[int, bool] = field(default_factory=dict)
    """Number of a proband who went home → whether a stand-in had taken the seat."""
    ready: int = 0
    """How many crowds have come to the door."""
    struck: Counter[str] = field(default_factory=Counter)
    apologies: Counter[int] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)

    @property
    def moves(self) -> int:
        """How far all matches have come, as far as anybody knows."""
        return sum(len(plies) for plies in self.told.values())

    def take(self, event: dict[str, Any]) -> None:
        """One line of a crowd."""
        match event:
            case {"told": [int(game), int(since), list(moves)]}:
                self._told(game, since, moves)
            case {"sent": [game, ply, move, seat]}:
                if self.sent.setdefault((game, ply), (seat, move)) != (seat, move):
                    self.violations.append(f"match {game}: ply {ply} was asked of two seats or answered in two ways")
            case {"ended": [game, scores, winners]}:
                if self.ended.setdefault(game, (scores, winners)) != (scores, winners):
                    self.violations.append(f"match {game}: two different ends were told")
            case {"answered": [game, person, item, seat, value]}:
                self.answered[game, person, item, seat] = value
            case {"finished": [game, person]}:
                self.finished.add((game, person))
            case {"done": number, "replaced": replaced}:
                self.done[number] = replaced
            case {"ready": True}:
                self.ready += 1
            case {"struck": count, "by": what}:
                self.struck[what] += count
            case {"apology": status}:
                self.apologies[status] += 1
                if status != UNAVAILABLE:
                    self.violations.append(f"somebody got an answer with status {status}")
            case {"violation": what}:
                self.violations.append(what)
            case _:
                self.violations.append(f"a crowd said {event}")

    def _told(self, game: int, since: int, moves: list[str]) -> None:
        known = self.told.setdefault(game, {})
        for ply, move in enumerate(moves, since):
            if known.setdefault(ply, move) != move:
                self.violations.append(f"match {game}: ply {ply} was told as {known[ply]} and as {move}")
