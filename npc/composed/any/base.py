"""What an element for any game is: it looks at nothing that a position need not tell."""

from npc.composed.element import Element
from npc.composed.situation import Situation

AnyElement = Element[Situation]
