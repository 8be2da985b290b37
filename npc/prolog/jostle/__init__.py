"""Rule bases of Jostle: facts and questions as the thesis that describes the interface has them."""

from npc.prolog.jostle.vocabulary import JOSTLE_VOCABULARY

__all__ = ["JOSTLE_VOCABULARY"]
