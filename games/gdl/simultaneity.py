"""Whether several seats of a described game ever choose at once.

Most descriptions take turns and show it in their rules: every choice asks for the same fact about its player, such as
`(true (control ?player))`, and at first one player has it. Where that is not to be seen, some random games are played.
"""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from games.gdl.reasoner import INIT, LEGAL, TRUE
from games.gdl.terms import Rule, Signature, arguments, signature

if TYPE_CHECKING:
    from games.gdl.position import GdlPosition

TRIED_GAMES: Final = 6
TRIED_PLIES: Final = 60


def takes_turns(rules: Sequence[Rule]) -> bool:
    """Whether the rules show that one seat chooses at a time."""
    words = {move for rule in rules if rule.signature == LEGAL and isinstance(move := arguments(rule.head)[1], str)}
    waiting = words if len(words) == 1 else set()
    choices = [rule for rule in rules if rule.signature == LEGAL and arguments(rule.head)[1] not in waiting]
    guards = [_guards(rule) for rule in choices]
    common = set.intersection(*guards) if guards else set()
    first = [arguments(rule.head)[0] for rule in rules if rule.signature == INIT and not rule.body]
    return any(sum(signature(fact) == guard for fact in first) == 1 for guard in common)


def chooses_at_once(start: "GdlPosition") -> bool:
    """Whether random games come to a state in which several seats choose."""
    for number in range(TRIED_GAMES):
        position, rng = start, random.Random(f"at once {number}")
        for _ in range(TRIED_PLIES):
            if len(position.acting) > 1:
                return True
            choices = position.moves() or tuple([move for move, _ in position.outcomes()])
            if not choices:
                break
            position = position.play(rng.choice(choices))
    return False


def _guards(rule: Rule) -> set[Signature]:
    """The relations of one argument that have to be true of the player who has the choice."""
    player = arguments(rule.head)[0]
    facts = [
        arguments(literal.statement)[0] for literal in rule.body if literal.is_positive and literal.signature == TRUE
    ]
    return {signature(fact) for fact in facts if arguments(fact) == (player,)}
