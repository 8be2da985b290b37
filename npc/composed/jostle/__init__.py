"""Composition in Jostle: its elements, and the question whether to roll again."""

from npc.composed.jostle.elements import ELEMENTS
from npc.composed.jostle.school import JOSTLE_SCHOOL

__all__ = ["ELEMENTS", "JOSTLE_SCHOOL"]
