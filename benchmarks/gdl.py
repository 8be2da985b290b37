"""Random games from descriptions: what start-up costs, and how many games a core plays beside OpenSpiel's C++ rollouts.

    python -m benchmarks.gdl [FILE.kif …]

Both are measured in turn in one run, so that the ratios hold on a busy machine, too; goals: Connect Four 100 times,
tic-tac-toe 50 times, breakthrough 30 times OpenSpiel. Checkers and skirmish stand beside what RBG's compiled C++ did on
the machine of its authors; the goal is 3 times that. Descriptions in files are measured alone. OpenSpiel is no
dependency: `make bench` puts it into a folder of its own (`benchmarks/_beside.py`), and where it cannot be had the
column stays empty.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, NamedTuple

import psutil
from rich.console import Console
from rich.table import Table

from benchmarks._beside import FOLDER
from games.gdl.compiled import Compiled, parts_of
from games.gdl.grounding import GroundingError, ground
from games.gdl.reader import read
from games.registry import game

BESIDE = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four(rows=6,columns=8)",
    "breakthrough": "breakthrough",
}
"""The same game in our library and in OpenSpiel."""
RBG = {"checkers": 45_000, "skirmish": 7_000}
"""Games per second of Regular Boardgames' compiled C++ (English draughts, Skirmish), as its authors published them."""
ROUNDS = 9
SECONDS = 0.2
"""Of a measurement; there are as many as rounds, and their median counts."""


class Start(NamedTuple):
    """What a game costs before its first random game."""

    ground: float
    write: float
    compile: float
    megabytes: float


def started(source: str) -> tuple[Compiled, Start]:
    process = psutil.Process()
    before, times = process.memory_info().rss, [perf_counter()]
    grounded = ground(read(source).rules)
    times.append(perf_counter())
    compiled = Compiled(parts_of(grounded))
    times.append(perf_counter())
    compiled.playouts(1, 0)
    times.append(perf_counter())
    grounding, writing, compiling = [end - begin for begin, end in pairwise(times)]
    return compiled, Start(grounding, writing, compiling, (process.memory_info().rss - before) / 1e6)


class Rate:
    """How much something does per second of the processor; the amount is fitted to the time of a measurement."""

    def __init__(self, work: Callable[[int], int], amount: int = 100) -> None:
        self._work = work
        self._amount = amount
        self._found: list[float] = []
        while (taken := self._once()[1]) < SECONDS / 4:
            self._amount = int(self._amount * max(2.0, min(20.0, SECONDS / max(taken, 1e-6) / 2)))

    def _once(self) -> tuple[int, float]:
        begin = process_time()
        done = self._work(self._amount)
        return done, process_time() - begin

    def measure(self) -> None:
        done, taken = self._once()
        self._found.append(done / taken)

    @property
    def value(self) -> float:
        return median(self._found)


def open_spiel() -> Any:
    """OpenSpiel, from this environment or from the folder beside it; None if it is in neither."""
    if FOLDER.is_dir():
        sys.path.append(str(FOLDER))
    try:
        return import_module("pyspiel")
    except ImportError:
        return None


def rollouts(pyspiel: Any, name: str) -> Callable[[int], int]:
    """Random games in C++: a search of one simulation that evaluates the first position by many."""
    other = pyspiel.load_game(name)

    def work(number: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(number, 1)
        pyspiel.MCTSBot(other, evaluator, 2.0, 1, 100, False, 1, False).step(other.new_initial_state())
        return number

    return work


def measured(table: Table, name: str, source: str, pyspiel: Any) -> None:
    try:
        compiled, start = started(source)
    except GroundingError as error:
        table.add_row(name, f"not grounded: {error}")
        return
    games = Rate(lambda number: compiled.playouts(number, number).games, 1000)
    states = Rate(lambda number: compiled.playouts(number, number, lanes=1).plies, 10)
    theirs = Rate(rollouts(pyspiel, BESIDE[name])) if pyspiel is not None and name in BESIDE else None
    for _ in range(ROUNDS):
        games.measure()
        states.measure()
        if theirs is not None:
            theirs.measure()
    beside = theirs.value if theirs is not None else RBG.get(name)
    table.add_row(
        name,
        f"{start.ground:.2f} + {start.write:.2f} + {start.compile:.2f}",
        f"{start.megabytes:.0f}",
        f"{compiled.sizes['facts']:,}",
        f"{compiled.sizes['gates']:,}",
        f"{games.value:,.0f}",
        f"{states.value:,.0f}",
        f"{beside:,.0f}{' (RBG)' if name in RBG else ''}" if beside is not None else "",
        f"{games.value / beside:.1f}" if beside is not None else "",
    )


def main() -> None:
    pyspiel = open_spiel()
    with TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder  # so that everything is compiled
        show(pyspiel)
    if pyspiel is None:
        print("OpenSpiel is not installed here (python -m benchmarks._beside): nothing to compare with.")


def show(pyspiel: Any) -> None:
    table = Table(title="random games from descriptions, one core")
    for heading in (
        "game",
        "ground + write + compile, s",
        "MB",
        "facts",
        "gates",
        "games/s",
        "states/s, one at a time",
        "OpenSpiel or RBG games/s",
        "times",
    ):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for name in (*BESIDE, *RBG):
        measured(table, name, game(f"gdl:{name}").source, pyspiel)
    for file in sys.argv[1:]:
        measured(table, Path(file).stem, Path(file).read_text(encoding="utf-8"), pyspiel)
    Console().print(table)


if __name__ == "__main__":
    main()
