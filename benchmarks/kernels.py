"""Kernels: random games of Connect Four per second, as Python, as WebAssembly in wasmtime and in chromium.

All of them run the same source with the same random numbers in one run, turn by turn, so that the ratios hold on a busy
machine too; each plays as many games as it can in about a second, and the best turn counts.
"""

from __future__ import annotations

import asyncio
import base64
import shutil
from time import perf_counter

from playwright.async_api import Page, async_playwright
from rich.console import Console
from rich.table import Table

from kernels.chance import Chance, seeded
from kernels.examples.connect_four import playouts
from kernels.host import Limits
from kernels.kernel import Kernel, Running

TURNS = 3
GAMES = {"Python": 2_000, "wasmtime, timed": 200_000, "wasmtime": 300_000, "chromium": 300_000}
COMPARED = 1_000
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]

LOAD = """async (binary) => {
    const bytes = Uint8Array.from(atob(binary), (character) => character.charCodeAt(0));
    const { instance } = await WebAssembly.instantiate(bytes);
    globalThis.kernel = instance.exports;
}"""
PLAY = """([state, games]) => {
    const { memory, playouts } = kernel;
    const chance = kernel.new(1, 3), results = kernel.new(3, 2);
    new BigInt64Array(memory.buffer, chance, 1)[0] = BigInt(state);
    const start = performance.now();
    playouts(chance, 0n, 0n, games, results);
    return [(performance.now() - start) / 1000, [...new Int32Array(memory.buffer, results, 3)]];
}"""
SEED = seeded("bench").state


def played(running: Running, games: int) -> tuple[float, list[int]]:
    """The seconds that so many games took, and how they ended."""
    chance, results = running.record(Chance, state=SEED), running.array("i32s", 3)
    began = perf_counter()
    running.call("playouts", chance, 0, 0, games, results)
    return perf_counter() - began, list(results.read())


async def played_there(page: Page, games: int) -> tuple[float, list[int]]:
    seconds, results = await page.evaluate(PLAY, [str(SEED), games])
    return seconds, results


async def measure() -> None:
    kernel = Kernel(playouts)
    best = dict.fromkeys(GAMES, 0.0)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = await browser.new_page()
        await page.evaluate(LOAD, base64.b64encode(kernel.binary).decode())
        with kernel.start(Limits(seconds=None)) as compiled, kernel.start() as timed, kernel.in_python() as plain:
            endings = [played(plain, COMPARED), played(compiled, COMPARED), await played_there(page, COMPARED)]
            assert endings[0][1] == endings[1][1] == endings[2][1]
            for _ in range(TURNS):
                seconds = {
                    "Python": played(plain, GAMES["Python"])[0],
                    "wasmtime, timed": played(timed, GAMES["wasmtime, timed"])[0],
                    "wasmtime": played(compiled, GAMES["wasmtime"])[0],
                    "chromium": (await played_there(page, GAMES["chromium"]))[0],
                }
                best = {name: max(best[name], GAMES[name] / seconds[name]) for name in GAMES}
        await browser.close()
    table = Table(title=f"Random games of Connect Four 7×6, one core (best of {TURNS})")
    for heading in ("", "games/s", "times Python", "times wasmtime"):
        table.add_column(heading, justify="left" if not heading else "right")
    for name, rate in best.items():
        table.add_row(name, f"{rate:,.0f}", f"{rate / best['Python']:.0f}", f"{rate / best['wasmtime']:.2f}")
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(measure())
