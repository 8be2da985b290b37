"""Rule bases as a kind of players: `prolog:` and the script."""

from typing import Final

from games.protocol import Game
from npc.player import PlayerKind
from npc.prolog.any import ANY_VOCABULARY
from npc.prolog.jostle import JOSTLE_VOCABULARY
from npc.prolog.rulebase import KEY, RuleBase
from npc.prolog.vocabulary import Vocabulary

VOCABULARIES: Final[dict[str, Vocabulary]] = {JOSTLE_VOCABULARY.game: JOSTLE_VOCABULARY}
"""By kind of game; all others are told in the words of the Game Description Language."""


def vocabulary_of(game: Game) -> Vocabulary:
    return VOCABULARIES.get(game.kind, ANY_VOCABULARY)


def rule_base(script: str, game: Game) -> RuleBase:
    """The player that a script is in this game. Whether it can be loaded shows when it is first asked."""
    return RuleBase(script, game, vocabulary_of(game))


class PrologKind(PlayerKind):
    """Scripts."""

    key = KEY

    def read(self, body: str, game: Game) -> RuleBase:
        return rule_base(body, game)
