"""Whole games as text: what the golden files hold.

`python -m tests.games.playthrough` writes them anew, which is right only after a change of rules that was meant.
"""

import random
from pathlib import Path

from games.protocol import CHANCE, OVER, Game, Move, Position
from games.registry import game, shelf

GOLDEN = Path(__file__).parent / "golden"
MOST_MOVES = 20_000


def draw(position: Position, rng: random.Random) -> Move:
    """A random move of whoever acts: chance by its weights, seats uniformly."""
    move: Move
    if position.to_act != CHANCE:
        move = rng.choice(position.moves())
    elif outcomes := position.outcomes():
        move = rng.choices([move for move, _ in outcomes], weights=[weight for _, weight in outcomes])[0]
    else:
        move = position.drawn(rng.randrange(position.ways))
    return move


def play_out(rules: Game, seed: str) -> list[tuple[Position, Move]]:
    """A random game: each position with the move that was played in it. The last position is not among them."""
    rng = random.Random(seed)
    position = rules.start()
    played: list[tuple[Position, Move]] = []
    while position.to_act != OVER:
        assert len(played) < MOST_MOVES, f"{rules.reference} does not end with seed {seed}"
        move = draw(position, rng)
        played.append((position, move))
        position = position.play(move)
    return played


def playthrough(rules: Game, seed: str) -> str:
    """Every position of a random game, who acts in it, what is possible, what happens, and how it ends."""
    rows = [f"game {rules.reference}, seats {' '.join(rules.seats)}, seed {seed}"]
    position = rules.start()
    for position, move in play_out(rules, seed):  # the last one is needed below
        actor = "chance" if position.to_act == CHANCE else rules.seats[position.to_act]
        rows.append(f"{position.text()} | {actor}: {_choices(position)} | {move}")
    end = position.play(move)
    winners = " ".join(rules.seats[seat] for seat in end.winners()) or "nobody"
    rows.append(f"{end.text()} | scores {end.scores()} | won by {winners}")
    return "\n".join(rows) + "\n"


def _choices(position: Position) -> str:
    """What seats or chance may do; only how many ways there are, if they are too many to list."""
    if position.to_act == CHANCE and not position.outcomes():
        return f"one of {position.ways}"
    return " ".join([*map(str, position.moves()), *(f"{move}*{weight}" for move, weight in position.outcomes())])


def golden_file(rules: Game) -> Path:
    return GOLDEN / f"{rules.reference.replace(':', '.')}.txt"


def golden_text(rules: Game) -> str:
    return "\n".join(playthrough(rules, f"golden {number}") for number in range(2))


def main() -> None:
    for rules in map(game, shelf()):
        golden_file(rules).write_text(golden_text(rules), encoding="utf-8")
        print(golden_file(rules))


if __name__ == "__main__":
    main()
