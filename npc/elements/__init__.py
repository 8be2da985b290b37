"""The pool of elemental strategies. A new element is one file here, one line below, and one test."""

from typing import Final

from npc.elements.advancer import Advancer
from npc.elements.aggressive import Aggressive
from npc.elements.base import Element, Kind, Memory
from npc.elements.equalizer import Equalizer
from npc.elements.lingering import Lingering
from npc.elements.observing import Observing
from npc.elements.pals import Pals
from npc.elements.randomizer import Randomizer
from npc.elements.revenging import Revenging

ELEMENTS: Final[dict[str, Element]] = {
    element.name: element
    for element in (
        Randomizer(),
        Advancer(),
        Pals(),
        Equalizer(),
        Observing(),
        Aggressive(),
        Revenging(),
        Lingering(),
    )
}

__all__ = ["ELEMENTS", "Element", "Kind", "Memory"]
