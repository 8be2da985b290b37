"""Rule bases of any game, in the words of the Game Description Language."""

from npc.prolog.any.vocabulary import ANY_VOCABULARY

__all__ = ["ANY_VOCABULARY"]
