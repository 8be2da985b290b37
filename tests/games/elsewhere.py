"""A process that knows nothing of the one that started it: it reads pickled positions and tells what it makes of them.

The standard input holds a pickled game and pairs of a pickled position and its text; the standard output gets, pickled,
what `told` says of each position, unpickled and read, and what follows from it.
"""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

from games.protocol import Game, IllegalMoveError, Position


def told(rules: Game, position: Position) -> dict[str, Any]:
    """Everything about a position that has a text or a number."""
    seats = range(len(rules.seats))
    return {
        "text": position.text(),
        "acts": (position.to_act, position.acting, position.ways),
        "moves": [[str(move) for move in position.moves(seat)] for seat in seats],
        "outcomes": [(str(move), weight) for move, weight in position.outcomes()],
        "views": [position.view(seat).text() for seat in seats],
        "scores": (position.scores(), position.winners()),
        "facts": position.facts(),
        "shown": [(position.grid(seat), position.material()) for seat in seats],
    }


def following(position: Position) -> list[Position | None]:
    """The positions that the legal moves lead to; None where what one sees does not suffice to play on."""
    after: list[Position | None] = []
    for move in position.moves():
        try:
            after.append(position.play(move))
        except IllegalMoveError:
            after.append(None)
    return after


def tell_elsewhere(rules: Game, positions: list[Position]) -> list[tuple[Any, Any, list[Position | None]]]:
    """What another process says about the pickle of each position, about its text, and what follows from it."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.games.elsewhere"],
        cwd=Path(__file__).parents[2],
        input=pickle.dumps((rules, [(pickle.dumps(position), position.text()) for position in positions])),
        stdout=subprocess.PIPE,
        check=True,
    )
    answers: list[tuple[Any, Any, list[Position | None]]] = pickle.loads(done.stdout)  # noqa: S301  # our own bytes
    return answers


def main() -> None:
    rules, positions = pickle.load(sys.stdin.buffer)  # noqa: S301  # our own bytes
    answers = []
    for pickled, text in positions:
        position, read = pickle.loads(pickled), rules.position(text)  # noqa: S301  # as above
        assert position == read
        assert hash(position) == hash(read)
        answers.append((told(rules, position), told(rules, read), following(position)))
    sys.stdout.buffer.write(pickle.dumps(answers))


if __name__ == "__main__":
    main()
