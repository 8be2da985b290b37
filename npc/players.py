"""Finds the player that a text describes: the name of a composed strategy, or the whole script of a rule base."""

import re
from functools import lru_cache
from typing import Final

from npc.composition import strategy
from npc.player import Player
from npc.prolog.rulebase import RuleBase

_NAME: Final = re.compile(r"[A-Za-z, \t]*")


@lru_cache(maxsize=1024)
def player(text: str) -> Player:
    """The player. A name has letters, spaces and commas only, which no Prolog script can do with.

    Raises StrategyError.
    """
    return strategy(text) if _NAME.fullmatch(text) else RuleBase(text)
