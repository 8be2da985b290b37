"""What an element of Jostle is: it ranks pieces, and says the same in Prolog."""

from abc import abstractmethod
from typing import Any

from npc.composed.element import Element
from npc.composed.jostle.situation import JostleSituation

AnyHost = Element[Any]


class JostleElement(Element[JostleSituation]):
    """Ranks the pieces that can move, each as the move that takes it into the hand."""

    @abstractmethod
    def rules(self, host: AnyHost) -> tuple[str, str]:
        """The same order in Prolog: the name of a predicate (Choice, Rank) and its clauses."""

    @property
    def atom(self) -> str:
        """The element's name as a Prolog atom."""
        return self.name.lower()
