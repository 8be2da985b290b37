"""Random walks through Jostle, and strategies for hypothesis."""

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from games.jostle import JOSTLE, JostleGame, JostleMove, JostlePosition
from games.protocol import OVER
from npc import ELEMENTS, Strategy


def walk(seed: object, game: JostleGame = JOSTLE) -> Iterator[tuple[int, JostlePosition, JostleMove]]:
    """A random game: ply, position, and the move that is then played."""
    source = random.Random(f"walk {seed}")
    position, ply = game.start(), 0
    while position.to_act != OVER:
        outcomes = tuple(move for move, _ in position.outcomes())
        move = source.choice(outcomes or position.moves())
        yield ply, position, move
        position, ply = position.play(move), ply + 1


@st.composite
def composed(draw: st.DrawFn) -> Strategy:
    """Any list that the rules allow."""
    names = draw(st.permutations(list(ELEMENTS)))
    length = draw(st.integers(1, len(names) - 1))
    chosen = names[:length]
    if not any(ELEMENTS[name].is_basic for name in chosen):
        basic = draw(st.sampled_from([name for name in ELEMENTS if ELEMENTS[name].is_basic]))
        chosen[draw(st.integers(0, length - 1))] = basic
    return Strategy(tuple(ELEMENTS[name] for name in chosen))
