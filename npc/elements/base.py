"""What an elemental strategy is: a rule that ranks the movable pieces, and a memory if it needs one.

Pieces of equal rank form a class; the classes in ascending order are the ordered partition that the element makes of
all movable pieces, best class first. Ranks are whole numbers in Python and in the element's Prolog rules alike.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from enum import Enum
from typing import ClassVar

from games.jostle import JostleMove, JostlePosition
from npc.situation import Situation

Memory = Hashable
"""What an element knows of the public history; None for those that need nothing."""


class Kind(Enum):
    """A basic strategy can play alone; a symbiont needs a host."""

    BASIC = "basic"
    SYMBIONT = "symbiont"


class Element(ABC):
    """One elemental strategy. Without state: memories are values that the caller keeps."""

    name: ClassVar[str]
    kind: ClassVar[Kind]
    meaning: ClassVar[str]
    """What it does, in one sentence that a researcher can read."""
    remembers: ClassVar[bool] = False

    @abstractmethod
    def rank(self, situation: Situation, piece: int, memory: Memory, host: "Element") -> int:
        """The piece's place in the order, smaller is better.

        `host` is the basic strategy that counts at this moment.
        """

    @abstractmethod
    def reason(self, situation: Situation, piece: int, memory: Memory, host: "Element") -> str:
        """Why the piece has its rank, as the end of a sentence that begins with the piece."""

    @abstractmethod
    def rules(self, host: "Element") -> tuple[str, str]:
        """The same order in Prolog: the name of a predicate (Choice, Rank) and its clauses."""

    def start_memory(self) -> Memory:
        """The memory before the first move."""
        return None

    def remember(self, memory: Memory, before: JostlePosition, move: JostleMove) -> Memory:  # noqa: ARG002  # for others
        """The memory after `move` was played in the position `before`, whoever played it."""
        return memory

    @property
    def is_basic(self) -> bool:
        return self.kind is Kind.BASIC

    @property
    def atom(self) -> str:
        """The element's name as a Prolog atom."""
        return self.name.lower()
