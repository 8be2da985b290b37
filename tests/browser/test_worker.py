"""Python in the browser: the same results as here, a visible start, and a clear state when it cannot start."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, Route, expect

from npc.selfcheck import import_all, self_check
from server.pages.selfcheck import PLAYOUTS, SEED
from server.web.rendering import asset
from tests.browser.conftest import Visit
from tests.servers import LiveServer

pytestmark = pytest.mark.browser

START_MS = 90_000  # a busy machine compiles slowly
CHECK = "#self-check"


async def test_a_seeded_computation_gives_the_same_result_in_the_browser_and_here(
    visit: Visit, site: LiveServer
) -> None:
    page = await visit(f"{site.url}/status")
    await expect(page.locator(CHECK)).to_have_attribute("data-result", "equal", timeout=START_MS)
    here = self_check(SEED, PLAYOUTS)
    assert await shown(page, "digest") == here["digest"]
    assert await shown(page, "moves") == f"{here['moves']:,}"
    assert (await shown(page, "python")).startswith("3.14")
    assert "the same" in await shown(page, "verdict")


async def test_the_page_is_isolated_so_that_a_running_computation_can_be_stopped(
    visit: Visit, site: LiveServer
) -> None:
    page = await visit(f"{site.url}/status")
    assert await page.evaluate("crossOriginIsolated")


async def test_a_file_that_cannot_be_loaded_gives_a_clear_state(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/", quiet=False)
    await page.route("**/*.wasm", lambda route: route.abort())
    await page.goto(f"{site.url}/status")
    await expect(page.locator(CHECK)).to_have_attribute("data-state", "failed", timeout=START_MS)
    assert "could not be loaded" in await shown(page, "state")
    assert "pyodide.asm.wasm" in await shown(page, "verdict")


async def test_a_policy_that_forbids_webassembly_gives_a_clear_state(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/", quiet=False)

    async def forbid(route: Route) -> None:
        answer = await route.fetch()
        policy = answer.headers["content-security-policy"].replace("'wasm-unsafe-eval'", "")
        await route.fulfill(response=answer, headers={**answer.headers, "content-security-policy": policy})

    await page.route(re.compile(r"/status$|/worker/"), forbid)
    await page.goto(f"{site.url}/status")
    await expect(page.locator(CHECK)).to_have_attribute("data-state", "failed", timeout=START_MS)
    assert "forbids WebAssembly" in await shown(page, "state")


async def test_a_missing_worker_script_gives_a_clear_state(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/", quiet=False)
    await page.route("**/worker/**", lambda route: route.abort())
    await page.goto(f"{site.url}/status")
    await expect(page.locator(CHECK)).to_have_attribute("data-state", "failed", timeout=START_MS)
    assert "cannot run the game engine" in await shown(page, "state")


async def test_every_module_of_games_and_npc_runs_in_the_browser(visit: Visit, site: LiveServer) -> None:
    """They need nothing that the browser's smaller standard library lacks, and they are all in the archive."""
    page = await visit(f"{site.url}/")
    call = "async (url) => (await import(url)).python.call('npc.selfcheck.import_all', [])"
    assert await page.evaluate(call, asset("python.js")) == import_all()


FOREVER = """async (url) => {
    const { python } = await import(url);
    await python.start();
    const started = performance.now();
    const name = "npc.selfcheck.self_check";
    const results = await Promise.allSettled([
        python.call(name, ["endless", 1e9], 300),
        python.call(name, ["short", 1], 90_000), // what is shown is that it is answered, not how soon on a busy machine
        python.call("npc.selfcheck.nothing", []),
    ]);
    return results.map((result) => result.value ?? `${result.reason.constructor.name} ${result.reason.message}`);
}"""


@pytest.mark.parametrize("isolated", [True, False], ids=["interrupted", "started anew"])
async def test_a_call_that_takes_too_long_is_ended_and_the_next_ones_are_answered(
    visit: Visit, site: LiveServer, isolated: bool
) -> None:
    """With shared memory the computation is interrupted; without it the worker is replaced."""
    page = await visit(f"{site.url}/")

    async def without_isolation(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, headers={**answer.headers, "cross-origin-embedder-policy": "unsafe-none"})

    if not isolated:
        await page.route(f"{site.url}/", without_isolation)
        await page.goto(f"{site.url}/")
    assert await page.evaluate("crossOriginIsolated") is isolated
    page.set_default_timeout(START_MS)
    late, short, unknown = await page.evaluate(FOREVER, asset("python.js"))
    assert "npc.selfcheck.self_check" in late
    assert short == dict(self_check("short", 1))
    assert "pages may not call 'npc.selfcheck.nothing'" in unknown


async def shown(page: Page, name: str) -> str:
    return await page.locator(f'{CHECK} [data-show="{name}"]').inner_text()
