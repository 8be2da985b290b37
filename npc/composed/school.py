"""What composition knows of a game: which elements there are, and what they look at.

`npc.composed.any` serves every game with elements that need nothing but the protocol. A game with elements of its own
has a school of its own, which stands in `npc.composed.kind` under the key of its kind.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from games.protocol import Game, Move, Position, Seat
from npc.composed.element import Element
from npc.composed.situation import Situation
from npc.decision import Decision, Explanation
from npc.player import Seed

if TYPE_CHECKING:
    from npc.composed.composition import Strategy


class Choice(NamedTuple):
    """A move, and why it was chosen."""

    move: Any
    explain: Callable[[], Explanation]


Choose = Callable[[Any], Choice]
"""Chooses among the moves of a situation."""


class School:
    """The elements of a game and the way in which its questions are answered with them."""

    elements: Mapping[str, Element[Any]]
    """All that a list may name."""

    def __init__(self, elements: Mapping[str, Element[Any]]) -> None:
        self.elements = elements

    def decide(self, position: Position, seat: Seat, seed: Seed, ply: int, choose: Choose) -> Decision:
        """The decision that follows from how the elements order the moves."""
        choice = choose(Situation(position, seat, seed, ply))
        return Decision(choice.move, _explain=choice.explain)

    def offered(self, game: Game) -> Mapping[str, Element[Any]]:
        """Those of the elements that have something to say in a game: what strategies are bred of."""
        return {name: element for name, element in self.elements.items() if element.is_offered(game)}

    def population(self, game: Game) -> tuple[str, ...]:
        """The strategies with which everything begins: every basic one alone, and with each symbiont."""
        offered = self.offered(game)
        basics = [name for name, element in offered.items() if element.is_basic]
        symbionts = [name for name, element in offered.items() if not element.is_basic]
        return (*basics, *(f"{symbiont} {basic}" for symbiont in symbionts for basic in basics))

    def samples(self, game: Game) -> tuple[str, ...]:
        """The strategies that a visitor may meet in practice."""
        return self.population(game)

    def afterwards(self, strategy: "Strategy") -> tuple[str, ...]:  # noqa: ARG002  # as above
        """What is to be said in words besides about all strategies of the school."""
        return ("What is then still tied goes to the first move in the order of the rules.",)

    def last_resort(self, move: Move) -> str:  # noqa: ARG002  # as above
        """What decides among moves that all elements left tied."""
        return "the first in order"
