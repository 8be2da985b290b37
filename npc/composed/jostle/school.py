"""How Jostle's questions are answered with its elements: which piece to move, whether to roll again, and passing."""

from typing import Final, cast

from games.jostle import AGAIN, KEEP, PASS, JostlePosition, Phase
from games.jostle.game import KEY
from games.protocol import Game, Move, Position, Seat
from npc.composed.composition import Strategy
from npc.composed.jostle.elements import ELEMENTS
from npc.composed.jostle.names import field_name, own_piece
from npc.composed.jostle.situation import JostleSituation
from npc.composed.school import Choose, School
from npc.decision import Decision, Explanation
from npc.player import Seed

LIMIT: Final = "the last field minus twelve"
SECOND_ROLL_FIELDS: Final = 12
"""A six and a second six: a piece this close to the last field may have no use for a second roll."""

DOCUMENTED: Final = (
    *(name for name, element in ELEMENTS.items() if element.is_basic),
    *(
        f"{symbiont} {basic}"
        for symbiont in ("Observing", "Aggressive", "Lingering")
        for basic, element in ELEMENTS.items()
        if element.is_basic
    ),
)
"""The four basic strategies and the twelve combinations of the source: who plays until a round has bred others."""

SAMPLES: Final = (
    "RANDOMIZER",
    "ADVANCER",
    "PALS",
    "EQUALIZER",
    "Observing ADVANCER",
    "Observing PALS",
    "Aggressive ADVANCER",
    "Aggressive Observing EQUALIZER",
    "Revenging Observing ADVANCER",
    "Lingering Observing PALS",
)
"""Easy ones and some that show what combining does."""


class JostleSchool(School):
    """The elements order pieces; what is still tied goes to the lowest one."""

    game: Final = KEY

    def decide(self, position: Position, seat: Seat, seed: Seed, ply: int, choose: Choose) -> Decision:
        here = cast("JostlePosition", position)
        situation = JostleSituation(here, seat, seed, ply)
        if is_roll_question(here):
            return _again(situation, choose)
        if not situation.moves:
            return Decision(PASS, _explain=no_piece)
        choice = choose(situation)
        return Decision(choice.move, _explain=choice.explain)

    def population(self, game: Game) -> tuple[str, ...]:  # noqa: ARG002  # the same on all boards
        return DOCUMENTED

    def samples(self, game: Game) -> tuple[str, ...]:  # noqa: ARG002  # the same on all boards
        return SAMPLES

    def afterwards(self, strategy: Strategy) -> tuple[str, ...]:
        panic: tuple[str, ...] = ()
        if strategy.panicker is not None:
            instead = " ".join(element.name for element, _ in strategy.panic_line_up)
            panic = (f"While an opponent stands on a goal it plays {instead}.",)
        return (
            *panic,
            "What is then still tied goes to the piece with the lowest number.",
            f"After a six it rolls again while the piece that it would move with six stands below {LIMIT}.",
        )

    def last_resort(self, move: Move) -> str:  # noqa: ARG002  # whatever the piece
        return "lowest number"


def is_roll_question(position: JostlePosition) -> bool:
    """Whether the seat decides between a second roll and keeping its six. Raises ValueError if no seat decides."""
    if position.phase is Phase.DECIDE:
        return True
    if position.phase is Phase.MOVE:
        return False
    raise ValueError(f"no seat decides in the position {position.text()}")


def worth_rolling_again(situation: JostleSituation, piece: int) -> bool:
    """The default: yes while the piece that six points would move stands below the last field minus twelve."""
    return situation.pieces[piece] < situation.layout.last - SECOND_ROLL_FIELDS


def _again(situation: JostleSituation, choose: Choose) -> Decision:
    if not situation.moves:
        return Decision(KEEP, _explain=no_piece)
    move, explain = choose(situation)
    again = worth_rolling_again(situation, move.id)

    def explained() -> Explanation:
        limit = situation.layout.last - SECOND_ROLL_FIELDS
        why, inner = "below" if again else "not below", explain()
        answer, field = "Rolls" if again else "Does not roll", field_name(situation.layout, situation.pieces[move.id])
        words = f"{answer} again: {own_piece(move.id)}, on {field}, is {why} field {limit}."
        return Explanation(inner.decided_by, f"{words} {inner.words}", inner.narrowings)

    return Decision(AGAIN if again else KEEP, _explain=explained)


def no_piece() -> Explanation:
    return Explanation("rules", "No piece can move.")


JOSTLE_SCHOOL: Final = JostleSchool(ELEMENTS)
