"""Players composed of elements: an ordered list that always plays, in any game."""

from npc.composed.composition import Strategy, StrategyError, explain_in_words
from npc.composed.kind import school_of, strategy
from npc.composed.school import School

__all__ = ["School", "Strategy", "StrategyError", "explain_in_words", "school_of", "strategy"]
