"""Random walks through games, and strategies for hypothesis."""

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from games.jostle import JOSTLE, Piece
from games.protocol import CHANCE, OVER, Game
from npc import Decision, Strategy, strategy
from npc.composed.jostle import ELEMENTS, JOSTLE_SCHOOL


def walk(seed: object, game: Game = JOSTLE) -> Iterator[tuple[int, Any, Any]]:
    """A random game: ply, position, and the move that is then played."""
    source = random.Random(f"walk {seed}")
    position, ply = game.start(), 0
    while position.to_act != OVER:
        if position.to_act == CHANCE:
            move = position.drawn(source.randrange(position.ways))
        else:
            move = source.choice(position.moves())
        yield ply, position, move
        position, ply = position.play(move), ply + 1


def some_of(population: tuple[str, ...], game: Game) -> tuple[str, ...]:
    """The strategies that a test tries: all, but fewer where moves are reasoned out from a description or games are
    long, and none there that thinks long."""
    if game.kind not in ("gdl", "tourality", "evolved", "predator"):
        return population
    return tuple(name for name in population if not strategy(name, game).heavy)[:4]


def piece_of(decision: Decision) -> int | None:
    """The piece that a decision of Jostle moves."""
    return decision.move.id if isinstance(decision.move, Piece) else None


@st.composite
def composed(draw: st.DrawFn) -> Strategy:
    """Any list of Jostle's elements that the rules allow."""
    names = draw(st.permutations(list(ELEMENTS)))
    length = draw(st.integers(1, len(names) - 1))
    chosen = names[:length]
    if not any(ELEMENTS[name].is_basic for name in chosen):
        basic = draw(st.sampled_from([name for name in ELEMENTS if ELEMENTS[name].is_basic]))
        chosen[draw(st.integers(0, length - 1))] = basic
    return Strategy(tuple(ELEMENTS[name] for name in chosen), JOSTLE_SCHOOL)
