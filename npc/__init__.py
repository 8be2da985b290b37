"""Players: strategies composed of elements, Prolog rule bases, and the panels and simulations that ask them."""

from npc.composition import Strategy, StrategyError, explain_in_words, strategy
from npc.decision import Decision, Explanation, Fault, FaultKind
from npc.elements import ELEMENTS, Element, Kind
from npc.player import Player
from npc.players import player

__all__ = [
    "ELEMENTS",
    "Decision",
    "Element",
    "Explanation",
    "Fault",
    "FaultKind",
    "Kind",
    "Player",
    "Strategy",
    "StrategyError",
    "explain_in_words",
    "player",
    "strategy",
]
