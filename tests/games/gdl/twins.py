"""Holds the described Jostle to the native one: any position, every move, what follows, what happens, what it is worth.

`python -m tests.games.gdl.twins` compares ten thousand random positions, or as many as one says; the test suite a few.
"""

import argparse
import random
from collections.abc import Iterator
from itertools import islice
from typing import Final

from games.gdl.game import GdlGame, GdlKind, opened
from games.gdl.position import GdlPosition
from games.jostle import JOSTLE
from games.jostle.layout import PIECES, STACK, STANDARD
from games.jostle.moves import PASS, Piece
from games.jostle.position import JostlePosition, Phase
from games.protocol import OVER, Move

NAMES: Final = ("red", "green", "blue")
ALL: Final = 10_000


def random_position(rng: random.Random) -> JostlePosition:
    """Anywhere on the board, crowded or not, at any moment of a turn; also where no game may ever lead."""
    lowest = rng.choice([0, 0, 5, 15])
    fields = rng.sample(range(lowest, rng.randint(lowest + PIECES, STANDARD.last + 1)), PIECES)
    at_home = rng.choice([0.0, 0.1, 0.5])
    pieces = tuple([STACK if rng.random() < at_home else field for field in fields])
    last_turns = rng.choice([None, None, 3, 2, 1])
    if last_turns is None and STANDARD.goal_fields.issubset(pieces):
        last_turns = 3
    seat = rng.randrange(len(NAMES))
    phase = rng.choices([Phase.MOVE, Phase.ROLL, Phase.DECIDE, Phase.SECOND, Phase.OVER], [16, 1, 1, 1, 1])[0]
    if phase is Phase.OVER:
        return JostlePosition(STANDARD, pieces, OVER, phase, 0, 0)
    points = {Phase.MOVE: rng.randint(1, 12), Phase.DECIDE: 6}.get(phase, 0)
    return JostlePosition(STANDARD, pieces, seat, phase, points, last_turns)


def described(position: JostlePosition) -> str:
    """The text of the same position in the described game."""
    facts = [f"(at {piece} {field})" for piece, field in enumerate(position.pieces)]
    if position.is_over:
        return " ".join(sorted([*facts, "(left 0)"]))
    facts.append(f"(control {NAMES[position.seat]})")
    if position.last_turns is not None:
        facts.append(f"(left {position.last_turns})")
    awaited = {Phase.ROLL: "rolling", Phase.MOVE: f"(points {position.points})"}
    facts.append(awaited.get(position.phase, "deciding"))
    sealed = f" / (sealed {position.seat} (again dice))" if position.phase is Phase.SECOND else ""
    return " ".join(sorted(facts)) + sealed


def translated(move: Move, position: JostlePosition) -> str:
    if isinstance(move, Piece):
        return f"(move {move.id})"
    return f"(pass {position.points})" if move is PASS else {"again": "(again dice)"}.get(str(move), str(move))


def compare(native: JostlePosition, rules: GdlGame) -> int:
    """Raises AssertionError with both texts where the two differ; else how many moves were the same."""
    other = rules.position(described(native))
    if native.phase is Phase.ROLL:
        assert [str(move) for move in other.moves()] == ["(roll dice)"], native.text()
        assert other.to_act == native.seat, native.text()
        other = other.play(other.moves()[0])
    assert other.to_act == native.to_act, native.text()
    assert other.scores() == native.scores(), native.text()
    # With equal points for everybody, Jostle has three winners and a described game has none.
    if len(set(native.scores())) > 1:
        assert other.winners() == native.winners(), native.text()
    choices = {translated(move, native): move for move in native.moves()}
    outcomes = {translated(move, native): (move, weight) for move, weight in native.outcomes()}
    assert {str(move) for move in other.moves()} == set(choices), native.text()
    assert {str(move): weight for move, weight in other.outcomes()} == {
        name: weight for name, (_, weight) in outcomes.items()
    }, native.text()
    for name, move in [*choices.items(), *[(name, move) for name, (move, _) in outcomes.items()]]:
        _compare_move(native, other, name, move)
    return len(choices) + len(outcomes)


def _compare_move(native: JostlePosition, other: GdlPosition, name: str, move: Move) -> None:
    theirs = other.game.move(name)
    assert other.play(theirs).text() == described(native.play(move)), f"{native.text()}, {move}"
    assert other.events(theirs) == native.events(move), f"{native.text()}, {move}"


def described_jostle() -> GdlGame:
    return opened(GdlKind.library["jostle"])


def random_positions(seed: str) -> Iterator[JostlePosition]:
    rng = random.Random(seed)
    while True:
        yield random_position(rng)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("positions", type=int, nargs="?", default=ALL)
    parser.add_argument("--seed", default="twins")
    wanted = parser.parse_args()
    rules = described_jostle()
    met = list(islice(random_positions(wanted.seed), wanted.positions))
    moves = sum([compare(position, rules) for position in met])
    steps = sum([len(position.events(move)) > 2 for position in met for move in position.moves()])
    print(
        f"{len(met)} positions ({len(set(met))} different), {moves} moves, {steps} of them with chains: "
        f"all the same in {JOSTLE.reference} and {rules.reference}"
    )


if __name__ == "__main__":
    main()
