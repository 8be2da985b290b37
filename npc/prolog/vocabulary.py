"""The words in which a rule base is asked: what a game tells it as facts, which helpers it may call, what it answers.

A vocabulary serves one kind of game, or any game (`npc.prolog.any`). Everything else about rule bases (sessions,
memory, limits, faults) is the same for all.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from games.protocol import Game, Position, Seat
from npc.composed.composition import Strategy
from npc.decision import Decision, Fault, FaultKind
from npc.player import Seed, decision_random
from npc.prolog.driver import SERVING
from npc.prolog.helpers import HELPERS, RAND_INT, indicator, module
from npc.prolog.history import History

LONGEST_COMPLAINT: Final = 300


class Lost(Exception):  # noqa: N818  # not an error of ours: the script lost its decision
    """The rule base lost the decision."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class Vocabulary(ABC):
    """What stands between a game and a script. Without state."""

    facts: ClassVar[Mapping[str, str]]
    """What is known to a script before each question, with its meaning."""
    meanings: ClassVar[Mapping[str, str]]
    """The helpers that a script may call, each with what it is for. Nothing else is offered to scripts."""
    helpers: ClassVar[str]
    """The clauses of the game's own helpers."""
    answering: ClassVar[str]
    """The driver's part: `ask(Question, Answer)` puts the facts in place and asks the script."""
    of_driver: ClassVar[tuple[str, ...]] = ()
    """Helpers that the driver alone calls."""
    asked: ClassVar[str]
    """The predicate that answers, and what it answers with: for complaints."""
    answer: ClassVar[str]

    @property
    def exported(self) -> tuple[str, ...]:
        return (*map(indicator, self.meanings), *self.of_driver)

    @property
    def declarations(self) -> str:
        return "".join(f":- dynamic({indicator(fact)}).\n" for fact in self.facts)

    @property
    def prelude(self) -> str:
        """The helpers as they are loaded."""
        return module("grintu", self.exported, HELPERS + self.helpers + RAND_INT)

    @property
    def driver(self) -> str:
        return module("grintu_driver", ["step/0"], SERVING + self.answering)

    @abstractmethod
    def opening(self, game: Game) -> str:
        """What is told once, before the first question."""

    @abstractmethod
    def asks(self, position: Position, seat: Seat) -> bool:
        """Whether an acting seat has anything to choose; if not, the script is not asked."""

    @abstractmethod
    def question(
        self, game: Game, position: Position, seat: Seat, news: Sequence[History], seed: Seed, ply: int
    ) -> str:
        """The question as a term; `news` is what was played since the last question."""

    @abstractmethod
    def decision(self, position: Position, seat: Seat, answer: str, name: str) -> Decision:
        """What an answer of the rule base of that name means. Raises Lost."""

    @abstractmethod
    def instead(self, position: Position, seat: Seat, fault: Fault, seed: Seed, ply: int) -> Decision:
        """What is played if the script lost its decision."""

    @abstractmethod
    def unasked(self, position: Position, seat: Seat) -> Decision:
        """What is played where there is nothing to choose."""

    def script_of(self, strategy: Strategy) -> str | None:  # noqa: ARG002  # an offer
        """A composed strategy as a script that makes the same choices; None where nobody has taught how."""
        return None

    def complaint(self, answer: str) -> Fault:
        """What is wrong with an answer that names no move."""
        if answer == "failed":
            return Fault(FaultKind.FAILED, f"{self.asked} has no solution")
        if answer.startswith("threw("):
            return Fault(FaultKind.THREW, answer.removeprefix("threw(").removesuffix(")")[:LONGEST_COMPLAINT])
        return Fault(FaultKind.WRONG_ANSWER, f"expected {self.answer}, not {answer[:LONGEST_COMPLAINT]}")


def engine_seed(seed: Seed, ply: int) -> int:
    """What the engine's own chance is seeded with before a question."""
    return int(decision_random(seed, ply).random() * 2**31)
