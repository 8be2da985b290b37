"""The same game in the Game Description Language: what a chromosome means, said a second time in another way.

Pieces are `south_a` to `north_f`. A piece `sees` the squares of its directions up to the first one that is occupied, or
one square if it does not slide; from what is seen follow the options, and from the options what is legal.
"""

from collections.abc import Iterator
from typing import Final

from games.evolved.chromosome import SIDE, Chromosome
from games.evolved.position import SEATS, piece_name
from games.evolved.rules import DIRECTIONS, MOST_MOVES, NORTH, SQUARES, ray_from, rules_of

RULES: Final = """
(<= (base (cell ?c ?r ?piece)) (square ?c ?r) (belongs ?piece ?player))
(<= (base (control ?player)) (role ?player))
(<= (base (played ?n)) (count ?n))
(<= (input ?player (move ?c ?r ?c2 ?r2)) (role ?player) (square ?c ?r) (square ?c2 ?r2))
(<= (input ?player noop) (role ?player))

(<= (occupied ?c ?r) (true (cell ?c ?r ?piece)))
(<= (free ?c ?r) (square ?c ?r) (not (occupied ?c ?r)))
(<= (opposing ?player ?c ?r)
    (true (cell ?c ?r ?piece))
    (belongs ?piece ?other)
    (role ?player)
    (distinct ?player ?other))

(<= (sees ?piece ?way ?c ?r ?c2 ?r2)
    (true (control ?player))
    (true (cell ?c ?r ?piece))
    (belongs ?piece ?player)
    (goes ?piece ?way)
    (ahead ?way ?c ?r ?c2 ?r2))
(<= (sees ?piece ?way ?c ?r ?c3 ?r3)
    (sees ?piece ?way ?c ?r ?c2 ?r2)
    (slides ?piece)
    (free ?c2 ?r2)
    (ahead ?way ?c2 ?r2 ?c3 ?r3))

(<= (quiet ?c ?r ?c2 ?r2)
    (sees ?piece ?way ?c ?r ?c2 ?r2)
    (free ?c2 ?r2))
(<= (takes ?c ?r ?c2 ?r2 ?c2 ?r2)
    (sees ?piece ?way ?c ?r ?c2 ?r2)
    (steps_into ?piece)
    (belongs ?piece ?player)
    (opposing ?player ?c2 ?r2))
(<= (takes ?c ?r ?c3 ?r3 ?c2 ?r2)
    (sees ?piece ?way ?c ?r ?c2 ?r2)
    (jumps_over ?piece)
    (belongs ?piece ?player)
    (opposing ?player ?c2 ?r2)
    (ahead ?way ?c2 ?r2 ?c3 ?r3)
    (free ?c3 ?r3))
(<= capturing (takes ?c ?r ?c2 ?r2 ?c3 ?r3))
(<= moving capturing)
(<= moving (quiet ?c ?r ?c2 ?r2))

(<= (legal ?player (move ?c ?r ?c2 ?r2))
    (true (control ?player))
    (takes ?c ?r ?c2 ?r2 ?c3 ?r3))
(<= (legal ?player noop)
    (role ?player)
    (not (true (control ?player))))

(<= (left ?c ?r) (does ?player (move ?c ?r ?c2 ?r2)))
(<= (gone ?c3 ?r3) (does ?player (move ?c ?r ?c2 ?r2)) (takes ?c ?r ?c2 ?r2 ?c3 ?r3))
(<= (next (cell ?c ?r ?piece))
    (true (cell ?c ?r ?piece))
    (not (left ?c ?r))
    (not (gone ?c ?r)))
(<= (next (cell ?c2 ?r2 ?other))
    (does ?player (move ?c ?r ?c2 ?r2))
    (true (cell ?c ?r ?piece))
    (arrives ?piece ?r2 ?other))
(<= (next (control south)) (true (control north)))
(<= (next (control north)) (true (control south)))
(<= (next (played ?more)) (true (played ?n)) (following ?n ?more))

(<= (lost ?player) (dishonoured ?player))
(<= anyone_dishonoured (dishonoured ?player))
(<= (lost ?player)
    (true (control ?player))
    (not moving)
    (not anyone_dishonoured)
    (not drawn_out))
(<= terminal drawn_out)
(<= terminal (lost ?player))
(<= (goal ?player 100) (lost ?other) (role ?player) (distinct ?player ?other) (not (lost ?player)))
(<= (goal ?player 0) (lost ?player) (role ?other) (distinct ?player ?other) (not (lost ?other)))
(<= (goal ?player 50) (role ?player) (not decided))
(<= decided (lost ?player) (role ?other) (distinct ?player ?other) (not (lost ?other)))
"""
"""What is the same in all of these games."""

QUIET: Final = "(<= (legal ?player (move ?c ?r ?c2 ?r2)) (true (control ?player)) (quiet ?c ?r ?c2 ?r2))"
QUIET_UNLESS_CAPTURING: Final = QUIET[:-1] + " (not capturing))"
HONOUR: Final = """(<= (honoured ?player) (true (cell ?c ?r ?piece)) (honour ?piece) (belongs ?piece ?player))
(<= (dishonoured ?player) (role ?player) (not (honoured ?player)))"""
NO_HONOUR: Final = "(<= (dishonoured ?player) (role ?player) (distinct ?player ?player))"


def described(chromosome: Chromosome) -> str:
    """A description that plays as the chromosome does."""
    lines = [
        *[f"(role {seat})" for seat in SEATS],
        *_numbers(),
        *_pieces(chromosome),
        *_squares(chromosome),
        *_setup(chromosome),
        RULES,
        QUIET_UNLESS_CAPTURING if chromosome.mandatory else QUIET,
        HONOUR if chromosome.honour else NO_HONOUR,
    ]
    return "\n".join(lines) + "\n"


def _numbers() -> Iterator[str]:
    yield from (f"(count {number})" for number in range(MOST_MOVES + 1))
    yield from (f"(following {number} {number + 1})" for number in range(MOST_MOVES))
    yield f"(<= drawn_out (true (played {MOST_MOVES})))"


def _squares(chromosome: Chromosome) -> Iterator[str]:
    """Every square, and which one lies ahead of it in each direction that a piece in the game has."""
    yield from (f"(square {_place(square)})" for square in range(SQUARES))
    for right, up in sorted(
        {way for kind in chromosome.types for seat in (0, 1) for way in _ways(chromosome, kind, seat)}
    ):
        for square in range(SQUARES):
            if ray := ray_from(square, right, up):
                yield f"(ahead {_way_name(right, up)} {_place(square)} {_place(ray[0])})"


def _pieces(chromosome: Chromosome) -> Iterator[str]:
    for seat, player in enumerate(SEATS):
        last_row = SIDE if seat == 0 else 1
        for kind in chromosome.types:
            piece = piece_name(kind + NORTH * seat)
            gene = kind - 1
            yield f"(belongs {piece} {player})"
            yield from (f"(goes {piece} {_way_name(*way)})" for way in _ways(chromosome, kind, seat))
            if chromosome.step[gene]:
                yield f"(slides {piece})"
            yield f"({'jumps_over' if chromosome.capture[gene] else 'steps_into'} {piece})"
            if kind == chromosome.honour:
                yield f"(honour {piece})"
            other = piece_name((chromosome.conversion[gene] or kind) + NORTH * seat)
            yield from (f"(arrives {piece} {row} {other if row == last_row else piece})" for row in range(1, SIDE + 1))


def _setup(chromosome: Chromosome) -> Iterator[str]:
    yield "(init (control south))"
    yield "(init (played 0))"
    for square, piece in enumerate(rules_of(chromosome.genes).setup):
        if piece:
            yield f"(init (cell {_place(square)} {piece_name(piece)}))"


def _ways(chromosome: Chromosome, kind: int, seat: int) -> list[tuple[int, int]]:
    """The directions of a type on the board: ahead is up for South and down for North."""
    return [(right, -ahead if seat else ahead) for right, ahead in DIRECTIONS[chromosome.movement[kind - 1]]]


def _place(square: int) -> str:
    return f"{square % SIDE + 1} {square // SIDE + 1}"


def _way_name(right: int, up: int) -> str:
    upwards = "up" * up if up > 0 else "down" * -up
    return (upwards + ("right" * right if right > 0 else "left" * -right)) or "still"
