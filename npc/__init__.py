"""Players: strategies composed of elements, Prolog rule bases, and the panels and simulations that ask them."""

from npc.composed import Strategy, StrategyError, explain_in_words, school_of, strategy
from npc.decision import Decision, Explanation, Fault, FaultKind
from npc.follower import Follower
from npc.player import Player, PlayerError
from npc.players import player, read_player

__all__ = [
    "Decision",
    "Explanation",
    "Fault",
    "FaultKind",
    "Follower",
    "Player",
    "PlayerError",
    "Strategy",
    "StrategyError",
    "explain_in_words",
    "player",
    "read_player",
    "school_of",
    "strategy",
]
