"""The pool of elemental strategies of Jostle. A new element is one file here, one line below, and one test."""

from typing import Final

from npc.composed.jostle.elements.advancer import Advancer
from npc.composed.jostle.elements.aggressive import Aggressive
from npc.composed.jostle.elements.base import JostleElement
from npc.composed.jostle.elements.equalizer import Equalizer
from npc.composed.jostle.elements.lingering import Lingering
from npc.composed.jostle.elements.observing import Observing
from npc.composed.jostle.elements.pals import Pals
from npc.composed.jostle.elements.randomizer import Randomizer
from npc.composed.jostle.elements.revenging import Revenging

ELEMENTS: Final[dict[str, JostleElement]] = {
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

__all__ = ["ELEMENTS", "JostleElement"]
