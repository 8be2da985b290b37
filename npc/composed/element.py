"""What an elemental strategy is: a rule that ranks the moves of a seat, and a memory if it needs one.

Moves of equal rank form a class; the classes in ascending order are the ordered partition that the element makes of all
moves, best class first. Ranks are whole numbers.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any, ClassVar, Generic, TypeVar

from games.protocol import Game
from npc.composed.situation import Situation

Memory = Hashable
"""What an element knows of the history; None for those that need nothing."""

S = TypeVar("S", bound=Situation)
"""What the element looks at: any situation, or that of one game."""


class Element(ABC, Generic[S]):
    """One elemental strategy. Without state: memories are values that the caller keeps."""

    name: ClassVar[str]
    is_basic: ClassVar[bool]
    """A basic strategy can play alone; a symbiont needs a host."""
    meaning: ClassVar[str]
    """What it does, in one sentence that a researcher can read."""
    remembers: ClassVar[bool] = False
    heavy: ClassVar[bool] = False
    """Whether it takes long to rank."""
    panics_to: ClassVar[str | None] = None
    """For a symbiont that may oust the host: the basic strategy that then plays, if the list has no other."""

    def is_offered(self, game: Game) -> bool:  # noqa: ARG002  # most have something to say in every game
        """Whether it can ever tell moves of this game apart; lists with an element that never does are not bred."""
        return True

    def panics(self, situation: S) -> bool:  # noqa: ARG002  # most never do
        """Whether it ousts the host in this situation."""
        return False

    @abstractmethod
    def rank(self, situation: S, move: Any, memory: Memory, host: "Element[Any]") -> int:
        """The move's place in the order, smaller is better.

        `host` is the basic strategy that counts at this moment.
        """

    @abstractmethod
    def reason(self, situation: S, move: Any, memory: Memory, host: "Element[Any]") -> str:
        """Why the move has its rank, as the end of a sentence that begins with the move."""

    def start_memory(self) -> Memory:
        """The memory before the first move."""
        return None

    def remember(self, memory: Memory, before: Any, move: Any) -> Memory:  # noqa: ARG002  # for others
        """The memory after `move` was played in the position `before`, whoever played it."""
        return memory
