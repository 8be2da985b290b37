"""Elements that need nothing but the protocol: they order the moves of any game. A new one is a file and a line."""

from typing import Final

from npc.composed.any.aggressive import Aggressive
from npc.composed.any.base import AnyElement
from npc.composed.any.careful import Careful
from npc.composed.any.central import Central
from npc.composed.any.copying import Copying
from npc.composed.any.greedy import Greedy
from npc.composed.any.hasty import Hasty
from npc.composed.any.nearby import Nearby
from npc.composed.any.randomizer import Randomizer
from npc.composed.any.searcher import Searcher
from npc.composed.any.stubborn import Stubborn
from npc.composed.any.winning import Winning
from npc.composed.school import School

ELEMENTS: Final[dict[str, AnyElement]] = {
    element.name: element
    for element in (
        Randomizer(),
        Greedy(),
        Searcher(),
        Winning(),
        Careful(),
        Aggressive(),
        Stubborn(),
        Copying(),
        Hasty(),
        Central(),
        Nearby(),
    )
}

ANY_GAME: Final = School(ELEMENTS)

__all__ = ["ANY_GAME", "ELEMENTS", "AnyElement"]
