"""What a player decides, and why, in words that a researcher can read."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from games.jostle import JostleMove


class FaultKind(Enum):
    """How a rule base can lose a decision."""

    SYNTAX = "syntax"
    FAILED = "failed"
    THREW = "threw"
    WRONG_ANSWER = "wrong answer"
    LIMIT = "limit"
    OUT = "out"
    NO_ENGINE = "no engine"


class Fault(NamedTuple):
    """Why a rule base lost a decision, for its author."""

    kind: FaultKind
    message: str

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.message}" if self.message else self.kind.value


class Verdict(NamedTuple):
    """What one element made of the pieces that the elements before it had left tied."""

    element: str
    tied: tuple[int, ...]
    kept: tuple[int, ...]
    words: str

    @property
    def decided(self) -> bool:
        return len(self.kept) < len(self.tied)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Which element decided, what each preferred, and the whole in words."""

    decided_by: str
    words: str
    verdicts: tuple[Verdict, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """A legal move of the seat to act.

    `piece` is the piece that is moved or, when the question is whether to roll again, that would be moved with six
    points; None if no piece can move. `roll_again` is None unless that is the question.
    """

    move: JostleMove
    piece: int | None
    roll_again: bool | None = None
    fault: Fault | None = None
    _explain: Callable[[], Explanation] | None = field(default=None, repr=False, compare=False)

    @property
    def explanation(self) -> Explanation:
        """Worked out when asked for, because most decisions are never explained."""
        return self._explain() if self._explain else Explanation("rules", "There was nothing to choose.")

    def as_json(self) -> dict[str, object]:
        """Plain values for commands and the browser."""
        explanation = self.explanation
        return {
            "move": str(self.move),
            "piece": self.piece,
            "roll_again": self.roll_again,
            "decided_by": explanation.decided_by,
            "explanation": explanation.words,
            "verdicts": [
                {"element": v.element, "tied": list(v.tied), "kept": list(v.kept), "words": v.words}
                for v in explanation.verdicts
            ],
            "fault": str(self.fault) if self.fault else None,
        }
