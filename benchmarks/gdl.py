"""Random games from descriptions: what start-up costs, and how many games a core plays beside OpenSpiel's C++ rollouts.

    python -m benchmarks.gdl [FILE.kif …]

Both are measured in turn in one run, so that the ratios hold on a busy machine, too; goals: Connect Four 100 times,
tic-tac-toe 50 times, breakthrough 30 times OpenSpiel. Checkers and skirmish stand beside what RBG's compiled C++ did on
the machine of its authors; the goal is 3 times that. Descriptions in files are measured alone. Then the same modules
play the same games in chromium, by the clock on the wall beside wasmtime; the goal is a tenth. OpenSpiel is no
dependency: `make bench` puts it into a folder of its own (`benchmarks/_beside.py`), and where it cannot be had the
column stays empty.
"""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, NamedTuple

import psutil
from playwright.async_api import Page, async_playwright
from rich.console import Console
from rich.table import Table

from benchmarks._beside import FOLDER
from games.gdl.compiled import Compiled, parts_of
from games.gdl.grounding import GroundingError, ground
from games.gdl.reader import read
from games.registry import game
from kernels.planes import PLANE
from kernels.playouts import Playouts, Program

BESIDE = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four(rows=6,columns=8)",
    "breakthrough": "breakthrough",
}
"""The same game in our library and in OpenSpiel."""
RBG = {"checkers": 45_000, "skirmish": 7_000}
"""Games per second of Regular Boardgames' compiled C++ (English draughts, Skirmish), as its authors published them."""
ROUNDS = 9
TURNS = 5
"""In chromium; the first ones also wait for its compiler."""
SECONDS = 0.2
"""Of a measurement; there are as many as rounds, and their median counts."""


FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
LOAD = """async (binary) => {
    const bytes = Uint8Array.from(atob(binary), (character) => character.charCodeAt(0));
    globalThis.game = (await WebAssembly.instantiate(bytes)).instance.exports;
}"""
PLAY = """([written, steps, address, length]) => {
    const memory = new Uint8Array(game.memory.buffer);
    for (const [place, bytes] of written)
        memory.set(Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)), place);
    const start = performance.now();
    while (game.play(steps));
    const seconds = (performance.now() - start) / 1000;
    return [seconds, btoa(String.fromCharCode(...memory.subarray(address, address + length)))];
}"""


class Start(NamedTuple):
    """What a game costs before its first random game."""

    ground: float
    write: float
    compile: float
    megabytes: float


def started(source: str) -> tuple[Program, Compiled, Start]:
    process = psutil.Process()
    before, times = process.memory_info().rss, [perf_counter()]
    grounded = ground(read(source).rules)
    times.append(perf_counter())
    parts = parts_of(grounded)
    compiled = Compiled(parts)
    times.append(perf_counter())
    compiled.playouts(1, 0)
    times.append(perf_counter())
    grounding, writing, compiling = [end - begin for begin, end in pairwise(times)]
    return parts.program, compiled, Start(grounding, writing, compiling, (process.memory_info().rss - before) / 1e6)


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


class Elsewhere:
    """An instance that only notes what would be done with it, for a page to do."""

    def __init__(self) -> None:
        self.written: list[tuple[int, str]] = []
        self.steps = 0
        self.asked: list[tuple[int, int]] = []

    def write(self, address: int, content: bytes) -> None:
        self.written.append((address, base64.b64encode(content).decode()))

    def call(self, _: str, steps: int) -> int:
        self.steps = steps
        return 0

    def read(self, address: int, length: int) -> bytes:
        self.asked.append((address, length))
        return bytes(length)


class InPage(Playouts):
    """Random games in a page, begun in the same way as here."""

    def __init__(self, ready: Program) -> None:
        self._program = ready

    async def seconds(self, page: Page, games: int, seed: int) -> tuple[float, bytes]:
        """How long so many games took there, and the counters afterwards."""
        self._instance = noted = Elsewhere()  # type: ignore[assignment]  # the page does it
        self.run(games, seed)
        taken, counters = await page.evaluate(PLAY, [noted.written, noted.steps, *noted.asked[0]])
        return taken, base64.b64decode(counters)


class Here(Playouts):
    """Random games in wasmtime."""

    def seconds(self, games: int, seed: int) -> tuple[float, bytes]:
        begin = perf_counter()
        self.run(games, seed)
        taken = perf_counter() - begin
        return taken, self._instance.read(self._program.counters, PLANE * (sum(self._program.goals) + 2))


async def in_chromium(programs: Mapping[str, Program]) -> None:
    """The same games in wasmtime and in a page, in turn; the best turn counts."""
    table = Table(title=f"the same games in chromium, by the clock on the wall (best of {TURNS})")
    for heading in ("game", "wasmtime, games/s", "chromium, games/s", "ratio"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = await browser.new_page()
        for name, ready in programs.items():
            await page.evaluate(LOAD, base64.b64encode(ready.binary).decode())
            here, there = Here(ready), InPage(ready)
            games = 256
            while here.seconds(games, 0)[0] < SECONDS:
                games *= 2
            best = [0.0, 0.0]
            for turn in range(TURNS):
                own, counted = here.seconds(games, turn)
                other, counted_there = await there.seconds(page, games, turn)
                assert counted == counted_there
                best = [max(best[0], games / own), max(best[1], games / other)]
            table.add_row(name, f"{best[0]:,.0f}", f"{best[1]:,.0f}", f"{best[1] / best[0]:.2f}")
        await browser.close()
    Console().print(table)


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


def measured(table: Table, name: str, source: str, pyspiel: Any) -> Program | None:
    """A row of the table; and what plays the game, if it can be grounded."""
    try:
        ready, compiled, start = started(source)
    except GroundingError as error:
        table.add_row(name, f"not grounded: {error}")
        return None
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
    return ready


def main() -> None:
    pyspiel = open_spiel()
    with TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder  # so that everything is compiled
        programs = show(pyspiel)
        if shutil.which("chromium"):
            asyncio.run(in_chromium(programs))
        else:
            print("There is no chromium here: nothing is measured in a browser.")
    if pyspiel is None:
        print("OpenSpiel is not installed here (python -m benchmarks._beside): nothing to compare with.")


def show(pyspiel: Any) -> dict[str, Program]:
    """Prints the table; what plays each game."""
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
    sources = {name: game(f"gdl:{name}").source for name in (*BESIDE, *RBG)}
    sources |= {Path(file).stem: Path(file).read_text(encoding="utf-8") for file in sys.argv[1:]}
    programs = {name: measured(table, name, source, pyspiel) for name, source in sources.items()}
    Console().print(table)
    return {name: ready for name, ready in programs.items() if ready is not None}


if __name__ == "__main__":
    main()
