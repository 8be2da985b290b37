"""Whether games among strategies end on a board.

People may roll again whenever they have rolled a six, so on every board that exists their games can end. A strategy
does so only far from the last field (`npc.composed.jostle.school.worth_rolling_again`); nearer to it, one roll must do.
So some piece must be able to rest within one roll of the last goal.
"""

from typing import cast

from games.jostle import STACK, JostleGame, Layout, LayoutError
from games.protocol import Game

ONE_ROLL = 6


def fields_before_the_last_goal(layout: Layout) -> frozenset[int]:
    """The fields on which a piece can rest and from which one roll leads to the last goal.

    On a special field only those rest whom another one has carried there, as to the twin of a SWITCH.
    """
    carried_to = {layout.carry[field] for field in layout.special}
    near = range(max(STACK, layout.last - ONE_ROLL), layout.first_goal)
    return frozenset(field for field in near if field not in layout.special or field in carried_to)


def check_ending(layout: Layout) -> None:
    """Raises LayoutError if games among strategies would never end."""
    if fields_before_the_last_goal(layout):
        return
    first, last = max(STACK, layout.last - ONE_ROLL), layout.first_goal - 1
    reason = (
        f"no piece can rest on the fields {first} to {last}, from which one roll leads to the last goal; "
        "leave one of them plain"
        if first <= last
        else f"with {len(layout.goals)} goals none of the fields before them is within one roll of the last one"
    )
    raise LayoutError(f"games among strategies do not end on the board {layout.name}: {reason}")


def ending_doubt(game: Game) -> str | None:
    """The reason why games among strategies would not end; None if they do."""
    try:
        check_ending(cast("JostleGame", game).layout)
    except LayoutError as doubt:
        return str(doubt)
    return None
