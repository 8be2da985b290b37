"""What a player decides, and why, in words that a researcher can read."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from games.protocol import Move


class FaultKind(Enum):
    """How a player can lose a decision."""

    SYNTAX = "syntax"
    FAILED = "failed"
    THREW = "threw"
    WRONG_ANSWER = "wrong answer"
    LIMIT = "limit"
    OUT = "out"
    NO_ENGINE = "no engine"


class Fault(NamedTuple):
    """Why a player lost a decision, for its author."""

    kind: FaultKind
    message: str

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.message}" if self.message else self.kind.value


class Narrowing(NamedTuple):
    """What one element made of the moves that the elements before it had left tied."""

    element: str
    tied: tuple[str, ...]
    kept: tuple[str, ...]
    words: str

    @property
    def decided(self) -> bool:
        return len(self.kept) < len(self.tied)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What decided, what each part preferred, and the whole in words."""

    decided_by: str
    words: str
    narrowings: tuple[Narrowing, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """A legal move of a seat, and what the player knows about it."""

    move: Move
    values: tuple[tuple[Move, float], ...] = ()
    """What each legal move seemed worth, from 0 to 100, for players that can tell."""
    visits: tuple[tuple[Move, int], ...] = ()
    """How often each legal move was tried, for players that search."""
    fault: Fault | None = None
    _explain: Callable[[], Explanation] | None = field(default=None, repr=False, compare=False)

    @property
    def explanation(self) -> Explanation:
        """Worked out when asked for, because most decisions are never explained."""
        return self._explain() if self._explain else Explanation("rules", "There was nothing to choose.")

    def as_json(self) -> dict[str, object]:
        """Plain values for commands, the browser and the record."""
        explanation = self.explanation
        return {
            "move": str(self.move),
            "values": [[str(move), value] for move, value in self.values],
            "visits": [[str(move), visits] for move, visits in self.visits],
            "decided_by": explanation.decided_by,
            "explanation": explanation.words,
            "narrowings": [
                {"element": n.element, "tied": list(n.tied), "kept": list(n.kept), "words": n.words}
                for n in explanation.narrowings
            ],
            "fault": str(self.fault) if self.fault else None,
        }
