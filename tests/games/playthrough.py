"""Whole games as text: what the golden files hold.

`python -m tests.games.playthrough` writes them anew, which is right only after a change of rules that was meant.
"""

import random
from pathlib import Path

from games.protocol import CHANCE, OVER, Game, Move, Position
from games.registry import GAMES

GOLDEN = Path(__file__).parent / "golden"
MOST_MOVES = 20_000


def draw(position: Position, rng: random.Random) -> Move:
    """A random move of whoever acts: chance by its weights, seats uniformly."""
    if position.to_act != CHANCE:
        return rng.choice(position.moves())
    outcomes = position.outcomes()
    return rng.choices([move for move, _ in outcomes], weights=[weight for _, weight in outcomes])[0]


def play_out(game: Game, seed: str) -> list[tuple[Position, Move]]:
    """A random game: each position with the move that was played in it. The last position is not among them."""
    rng = random.Random(seed)
    position = game.start()
    played: list[tuple[Position, Move]] = []
    while position.to_act != OVER:
        assert len(played) < MOST_MOVES, f"{game.name} does not end with seed {seed}"
        move = draw(position, rng)
        played.append((position, move))
        position = position.play(move)
    return played


def playthrough(game: Game, seed: str) -> str:
    """Every position of a random game, who acts in it, what is possible, what happens, and how it ends."""
    rows = [f"game {game.name}, seats {' '.join(game.seats)}, seed {seed}"]
    position = game.start()
    for position, move in play_out(game, seed):  # the last one is needed below
        actor = "chance" if position.to_act == CHANCE else game.seats[position.to_act]
        choices = [str(m) for m in position.moves()] + [f"{m}*{weight}" for m, weight in position.outcomes()]
        rows.append(f"{position.text()} | {actor}: {' '.join(choices)} | {move}")
    end = position.play(move)
    winners = " ".join(game.seats[seat] for seat in end.winners()) or "nobody"
    rows.append(f"{end.text()} | scores {end.scores()} | won by {winners}")
    return "\n".join(rows) + "\n"


def golden_file(game: Game) -> Path:
    return GOLDEN / f"{game.name.replace(':', '.')}.txt"


def golden_text(game: Game) -> str:
    return "\n".join(playthrough(game, f"golden {number}") for number in range(2))


def main() -> None:
    for game in GAMES.values():
        golden_file(game).write_text(golden_text(game), encoding="utf-8")
        print(golden_file(game))


if __name__ == "__main__":
    main()
