"""Python in the browser: how long it takes to start, how much is loaded, and how fast it runs.

The references, in the same run: Pyodide's files as npm delivers them, neither compiled nor compressed, and the same
computation in this Python.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import perf_counter

import uvicorn
from playwright.async_api import Browser, BrowserContext, async_playwright
from rich.console import Console
from rich.table import Table
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from npc.selfcheck import self_check
from server.base.settings import ROOT
from server.web.assets import Assets
from server.web.rendering import asset

ROUNDS = 3
PLAYOUTS = 200
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]

OURS = """async (url) => {
    const { python } = await import(url);
    const start = performance.now();
    await python.start();
    return performance.now() - start;
}"""
STOCK = """() => new Promise((resolve) => {
    const source = `import { loadPyodide } from "${location.origin}/stock/pyodide.mjs";
        await loadPyodide({ indexURL: "${location.origin}/stock/" });
        postMessage("ready");`;
    const start = performance.now();
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });
    worker.onmessage = () => { worker.terminate(); resolve(performance.now() - start); };
})"""
COMPUTE = """async ([url, playouts]) => {
    const { python } = await import(url);
    await python.start();
    const start = performance.now();
    const { digest } = await python.call("npc.selfcheck.self_check", ["bench", playouts], 120_000);
    return [performance.now() - start, digest];
}"""


async def blank(_: Request) -> HTMLResponse:
    return HTMLResponse("<!doctype html><html lang=en><title>benchmark</title>")


@asynccontextmanager
async def served() -> AsyncIterator[str]:
    """Our built files, and beside them Pyodide's package as it is."""
    stock = StaticFiles(directory=ROOT / "client_web" / "node_modules" / "pyodide")
    app = Starlette(routes=[Route("/", blank), Mount("/assets", Assets()), Mount("/stock", stock)])
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        running = asyncio.create_task(server.serve(sockets=[listener]))
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        await running


async def timed(context: BrowserContext, base: str, script: str, argument: object = None) -> float:
    """The milliseconds that the script reports, on a page of its own."""
    page = await context.new_page()
    await page.goto(base)
    milliseconds: float = await page.evaluate(script, argument)
    await page.close()
    return milliseconds


async def starts(browser: Browser, base: str, script: str, argument: object = None) -> tuple[float, float]:
    """A cold start, with nothing cached, and a warm one, on a later page of the same visitor."""
    context = await browser.new_context()
    cold = await timed(context, base, script, argument)
    await timed(context, base, script, argument)  # the browser keeps compiled code from the second time on
    warm = await timed(context, base, script, argument)
    await context.close()
    return cold, warm


def sizes() -> tuple[int, int]:
    """Bytes of a first visit: npm's files as they are, and ours compressed."""
    names = ("pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
    stock = sum((ROOT / "client_web/node_modules/pyodide" / name).stat().st_size for name in names)
    paths = [asset(f"python/{name}") for name in (*names, "archive.zip")] + [asset("worker/main.js")]
    ours = sum((ROOT / "client_web/dist" / f"{path.removeprefix('/assets/')}.br").stat().st_size for path in paths)
    return stock, ours


async def measure() -> None:
    async with served() as base, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        script = asset("python.js")
        rounds = [
            (await starts(browser, base, STOCK), await starts(browser, base, OURS, script)) for _ in range(ROUNDS)
        ]
        page = await browser.new_page()
        await page.goto(base)
        milliseconds, digest = await page.evaluate(COMPUTE, [script, PLAYOUTS])
        await browser.close()
    began = perf_counter()
    here = self_check("bench", PLAYOUTS)
    native = (perf_counter() - began) * 1000
    assert here["digest"] == digest

    table = Table(title=f"Python in the browser (best of {ROUNDS})")
    for heading in ("", "reference", "GRINTU", "ratio"):
        table.add_column(heading, justify="left" if not heading else "right")
    raw, packed = sizes()
    table.add_row("first visit, MB", f"{raw / 1e6:.1f}", f"{packed / 1e6:.1f}", f"{packed / raw:.2f}")
    for name, place in (("cold start, s", 0), ("warm start, s", 1)):
        one, other = (min(each[who][place] for each in rounds) / 1000 for who in (0, 1))
        table.add_row(name, f"{one:.2f}", f"{other:.2f}", f"{other / one:.2f}")
    row = (f"{native:.0f}", f"{milliseconds:.0f}", f"{milliseconds / native:.2f}")
    table.add_row(f"{here['moves']:,} moves, ms (reference: CPython)", *row)
    Console().print(table)


def main() -> None:
    subprocess.run(["node", "build.mjs"], cwd=ROOT / "client_web", check=True, capture_output=True)
    asyncio.run(measure())


if __name__ == "__main__":
    main()
