"""One decision with 1000 simulations as a visitor waits for it: in this Python with wasmtime, and in chromium's worker.

    python -m benchmarks.search_browser [GAME …]

The visitor moves once, a search player answers, and everything around it counts too: reading the moves, playing them,
describing the position. Games are opened by a first decision, with few simulations, which is measured apart; then both
sides decide in turn in one run, and the best turn counts. Both must answer with the same move.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from time import perf_counter
from typing import Any

from playwright.async_api import Page, async_playwright
from rich.console import Console
from rich.table import Table

from benchmarks.browser import FLAGS, served
from games.protocol import CHANCE
from games.registry import game as find_game
from npc.practice import advance
from server.web.rendering import asset

GAMES = ("gdl:connect-four", "gdl:checkers", "gdl:skirmish")
TURNS = 3
PATIENCE_MS = 300_000
FIRST, THOUSAND = "mcts:simulations=1", "mcts:simulations=1000"

ADVANCE = """async ([url, game, seed, move, player, patience]) => {
    const { python } = await import(url);
    await python.start();
    const start = performance.now();
    const found = await python.call("npc.practice.advance", [game, seed, [move], [player]], patience);
    return [(performance.now() - start) / 1000, found.position];
}"""


def here(game: str, seed: str, move: str, player: str) -> tuple[float, str]:
    began = perf_counter()
    found = advance(game, seed, [move], [player])
    return perf_counter() - began, found["position"]


async def there(page: Page, game: str, seed: str, move: str, player: str) -> tuple[float, str]:
    answer: list[Any] = await page.evaluate(ADVANCE, [asset("python.js"), game, seed, move, player, PATIENCE_MS])
    return answer[0], answer[1]


async def measure(games: tuple[str, ...]) -> None:
    table = Table(title=f"An answer with 1000 simulations, in seconds (best of {TURNS})")
    for heading in ("game", "wasmtime", "chromium", "its speed / wasmtime's", "first, wasmtime", "first, chromium"):
        table.add_column(heading)
    async with served() as base, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = await browser.new_page()
        await page.goto(base)
        for game in games:
            start = find_game(game).start()
            assert start.to_act != CHANCE
            move = str(start.moves()[0])
            first = here(game, "first", move, FIRST)[0], (await there(page, game, "first", move, FIRST))[0]
            ours, theirs = [], []
            for turn in range(TURNS):
                seconds, position = here(game, f"{turn}", move, THOUSAND)
                seconds_there, position_there = await there(page, game, f"{turn}", move, THOUSAND)
                assert position == position_there
                ours.append(seconds)
                theirs.append(seconds_there)
            best, best_there = min(ours), min(theirs)
            table.add_row(
                game, f"{best:.3f}", f"{best_there:.3f}", f"{best / best_there:.2f}", *[f"{each:.1f}" for each in first]
            )
        await browser.close()
    Console(width=120).print(table)


def main() -> None:
    asyncio.run(measure(tuple(sys.argv[1:]) or GAMES))


if __name__ == "__main__":
    main()
