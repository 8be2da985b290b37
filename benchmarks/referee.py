"""How fast the referees are, Jostle's above all: plain Python, one core, and the same inside Pyodide.

Every rate stands beside a trivial loop measured in the same run, because rates differ from machine to machine and
ratios hardly do. The trivial loop makes an immutable position out of another one and checks nothing. Time is processor
time, so that a busy machine does not look like a slow referee. `measure` needs the standard library and games/ only, so
that the same lines run in the browser's Python.
"""

import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from games.jostle import JOSTLE, JostleMove, JostlePosition, Piece, Roll, read_position
from games.protocol import CHANCE, OVER, Game, Move, Position
from games.registry import game, shelf

GOAL: Final = 150_000
GAMES: Final = 200
PLIES: Final = 20_000
"""As many moves of every other game are played, chance included."""
REPEATS: Final = 5
LENGTHS: Final = (1_000, 10_000, 100_000)
PYODIDE_SECONDS: Final = 300
ROOT: Final = Path(__file__).parents[1]

# Rolls of one make neighbours change places for ever: a game as long as one likes, every move with a jostling.
ENDLESS_START: Final = "0,-1,-1/1,-1,-1/2,3,-1 r"
ENDLESS_TURNS: Final = (0, 3, 6, 0, 3, 7)


class Trivial(NamedTuple):
    """The least that a position can be."""

    pieces: tuple[int, ...]
    seat: int

    def play(self, move: JostleMove) -> "Trivial":  # noqa: ARG002  # whatever is played, nothing happens
        return Trivial(self.pieces, self.seat)


def random_game(seed: int) -> list[JostleMove]:
    rng = random.Random(seed)
    position = JOSTLE.start()
    moves: list[JostleMove] = []
    while position.to_act != OVER:
        choices = [m for m, _ in position.outcomes()] if position.to_act == CHANCE else position.moves()
        moves.append(rng.choice(choices))
        position = position.play(moves[-1])
    return moves


def referee(games: Sequence[Sequence[JostleMove]]) -> None:
    """Plays every move with everything that the rules check."""
    for moves in games:
        position = JOSTLE.start()
        for move in moves:
            position = position.play(move)


def trivial(games: Sequence[Sequence[JostleMove]]) -> None:
    for moves in games:
        position = Trivial((-1,) * 9, 0)
        for move in moves:
            position = position.play(move)


def playouts(seeds: Iterable[int]) -> int:
    """Random games from scratch, legal moves listed and one drawn: what search and simulation do."""
    count = 0
    for seed in seeds:
        draw = random.Random(seed).random
        position = JOSTLE.start()
        while (acts := position.to_act) != OVER:
            if acts == CHANCE:
                outcomes = position.outcomes()
                position = position.play(outcomes[int(draw() * len(outcomes))][0])
            else:
                moves = position.moves()
                count += isinstance(moves[0], Piece)
                position = position.play(moves[int(draw() * len(moves))])
    return count


def endless_game(turns: int) -> list[JostleMove]:
    cycle: list[JostleMove] = []
    for piece in ENDLESS_TURNS:
        cycle += (Roll(1), Piece(piece))
    return cycle * (turns // len(ENDLESS_TURNS) + 1)


def play_from(position: JostlePosition, moves: Iterable[JostleMove]) -> None:
    for move in moves:
        position = position.play(move)


def random_record(rules: Game, plies: int) -> list[list[Move]]:
    """Random games of any kind, about as many moves as asked for."""
    rng = random.Random(rules.reference)
    games: list[list[Move]] = []
    while plies > 0:
        position: Position = rules.start()
        games.append([])
        while position.to_act != OVER:
            games[-1].append(random_move(position, rng))
            position = position.play(games[-1][-1])
        plies -= len(games[-1])
    return games


def random_move(position: Position, rng: random.Random) -> Move:
    chance = position.to_act == CHANCE
    move: Move = position.drawn(rng.randrange(position.ways)) if chance else rng.choice(position.moves())
    return move


def replay(rules: Game, games: Sequence[Sequence[Move]]) -> None:
    """Plays every move and asks for nothing else."""
    for moves in games:
        position: Position = rules.start()
        for move in moves:
            position = position.play(move)


def situations(rules: Game, games: Sequence[Sequence[Move]]) -> int:
    """Finds out what stands before every decision, as the server does before each one of a program; how many."""
    from server.live.thinking.situations import Course  # the browser's Python, which runs this file too, has no server

    decisions = 0
    for moves in games:
        position, course = rules.start(), Course.begin(rules)
        for move in moves:
            if position.to_act != CHANCE and position.forced(position.to_act) is None:
                course.situation(position, position.to_act)
                decisions += 1
            course, position = course.after([(position, move)]), position.play(move)
    return decisions


class Pace(NamedTuple):
    """Moves per processor second, chance included: drawn at random from all that are legal, and just played; and
    decisions for which a program's thinking time is found, with all moves before them played."""

    random_play: float
    plain_play: float
    programs: float


def measure_games(clock: Callable[[], float] = time.process_time) -> dict[str, Pace]:
    """The pace of every game of the library."""
    paces: dict[str, Pace] = {}
    for reference in shelf():
        rules = game(reference)
        games = random_record(rules, PLIES)
        plies = sum(map(len, games))
        randomly = plain = programs = float("inf")
        for _ in range(REPEATS):
            begin = clock()
            random_record(rules, PLIES)
            middle = clock()
            replay(rules, games)
            end = clock()
            decisions = situations(rules, games)
            randomly, plain = min(randomly, middle - begin), min(plain, end - middle)
            programs = min(programs, clock() - end)
        paces[reference] = Pace(plies / randomly, plies / plain, decisions / programs)
    return paces


def measure(clock: Callable[[], float] = time.process_time) -> dict[str, float]:
    """All figures of one Python, per processor second unless said otherwise."""

    def seconds(work: Callable[[], object]) -> float:
        """The best of a few runs: what the machine can do when nobody disturbs it."""
        best = float("inf")
        for _ in range(REPEATS):
            begin = clock()
            work()
            best = min(best, clock() - begin)
        return best

    games = [random_game(seed) for seed in range(GAMES)]
    plies = sum(map(len, games))
    turns = sum(isinstance(move, Piece) for moves in games for move in moves)
    referee_time, trivial_time = seconds(lambda: referee(games)), seconds(lambda: trivial(games))
    drawn = playouts(range(GAMES))
    figures = {
        "trivial plays": plies / trivial_time,
        "plays, rolls included": plies / referee_time,
        "moves of pieces": turns / referee_time,
        "random playouts, moves of pieces": drawn / seconds(lambda: playouts(range(GAMES))),
        "play / trivial play (ratio)": referee_time / trivial_time,
    }
    start = read_position(ENDLESS_START)
    for length in LENGTHS:
        moves = endless_game(length)
        spent = seconds(lambda moves=moves: play_from(start, moves))  # type: ignore[misc]  # binds the loop's value
        figures[f"µs per turn in a game of {length:,} turns"] = spent / len(moves) * 2e6
    return figures


def measure_in_pyodide() -> dict[str, float] | str:
    """The same figures from Pyodide under Node, or the reason why there are none."""
    node = shutil.which("node")
    if node is None or not (ROOT / "client_web/node_modules/pyodide").is_dir():
        return "Node or client_web/node_modules is missing"
    command = [node, str(ROOT / "benchmarks/referee_pyodide.mjs")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PYODIDE_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer within {PYODIDE_SECONDS} s"
    if done.returncode != 0:
        return done.stderr.strip()[-300:] or f"status {done.returncode}"
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def main() -> None:
    native, browser = measure(), measure_in_pyodide()
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"Referee of Jostle, {GAMES} random games, best of {REPEATS} runs, per processor second of one core")
    print(f"{'':<44}{'Python ' + version:>16}{'Pyodide':>16}{'Pyodide/native':>16}")
    for name, figure in native.items():
        row = f"{name:<44}{_number(figure):>16}"
        if isinstance(browser, dict):
            row += f"{_number(browser[name]):>16}{browser[name] / figure:>16.2f}"
        print(row)
    if isinstance(browser, str):
        print(f"Pyodide was not measured: {browser}")
    reached = native["moves of pieces"] >= GOAL
    print(f"Goal: {GOAL:,} moves per second in plain Python: {'reached' if reached else 'MISSED'}")
    print(f"\nEvery game, about {PLIES:,} moves each, chance included, per processor second")
    print(f"{'':<44}{'random play':>16}{'plain play':>16}{'plain/random':>16}{'for programs':>16}")
    for reference, pace in measure_games().items():
        row = f"{reference:<44}{_number(pace.random_play):>16}{_number(pace.plain_play):>16}"
        print(f"{row}{pace.plain_play / pace.random_play:>16.2f}{_number(pace.programs):>16}")


def _number(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.2f}"


if __name__ == "__main__":
    main()
