"""Pictures of every page, to be looked at: `python -m tests.browser.screenshots FOLDER [PATH ...]`.

Starts the demo study on a free port and walks through it in every role, following links, one page of each kind: on a
desktop, a tablet and a phone, light and dark. With paths, only those are taken.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.async_api import Browser, BrowserContext, async_playwright
from pydantic import SecretStr

from server.accounts.sessions import COOKIE
from server.base.settings import Settings
from server.cli.demo_study import ADDRESSES
from server.storage.postgres import Cluster
from tests.browser.conftest import FLAGS, HEIGHTS
from tests.browser.pages import VISITOR, kind_of, least_role, page_paths
from tests.browser.people import ROLES, logged_in
from tests.servers import running_server

WIDTHS = (1280, 768, 390)
THEMES = ("light", "dark")
SETTLE_MS = 1500  # boards are drawn and charts laid out by then
TALLEST = 4000


@contextmanager
def demo_settings() -> Iterator[Settings]:
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder) / "postgres", throwaway=True)
        try:
            yield Settings(
                _env_file=None,
                demo=True,
                secret_key=SecretStr("a secret for screenshots that is long enough"),
                database_url=SecretStr(cluster.acquire()),
                data_dir=Path(folder) / "data",
            )
        finally:
            cluster.release()


async def open_context(browser: Browser, base: str, cookie: str | None, width: int, theme: str) -> BrowserContext:
    context = await browser.new_context(
        viewport={"width": width, "height": HEIGHTS[width]},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        locale="en",
    )
    if cookie:
        await context.add_cookies([{"name": COOKIE, "value": cookie, "url": base}])
    return context


async def take(browser: Browser, base: str, path: str, cookie: str | None, target: Path) -> list[str]:
    """Six pictures of one page; gives the links on it."""
    links: list[str] = []
    for width in WIDTHS:
        for theme in THEMES:
            context = await open_context(browser, base, cookie, width, theme)
            page = await context.new_page()
            page.on("pageerror", lambda error: print(f"  error on {path}: {error}"))
            await page.goto(base + path)
            await page.wait_for_timeout(SETTLE_MS)
            height = min(TALLEST, await page.evaluate("document.documentElement.scrollHeight"))
            clip = {"x": 0, "y": 0, "width": width, "height": max(HEIGHTS[width], height)}
            await page.screenshot(path=f"{target}-{width}-{theme}.png", full_page=True, clip=clip)  # type: ignore[arg-type]  # a FloatRect is a dict
            links = await page.locator("a[href^='/']").evaluate_all("all => all.map((a) => a.getAttribute('href'))")
            await context.close()
    return links


async def walk(settings: Settings, base: str, folder: Path, only: list[str]) -> None:
    addresses = {role.value: address for role, address in ADDRESSES.items()}
    cookies = {role: await logged_in(settings, role, addresses[role]) for role in ROLES}
    done: set[str] = set()
    waiting = list(only) or page_paths()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        while waiting:
            path = waiting.pop(0)
            if kind_of(path) in done:
                continue
            done.add(kind_of(path))
            role = await asyncio.to_thread(least_role, base, path, cookies)
            if role is None:
                continue
            name = kind_of(path).strip("/").replace("/", "-").replace("{", "").replace("}", "") or "home"
            print(f"{path} as {role}")
            links = await take(browser, base, path, cookies.get(role) if role != VISITOR else None, folder / name)
            waiting += [] if only else [link for link in links if kind_of(link) not in done]
        await browser.close()


def main() -> None:
    folder, *only = sys.argv[1:] or ["screenshots"]
    Path(folder).mkdir(parents=True, exist_ok=True)
    with demo_settings() as settings, running_server(settings, "--demo") as server:
        asyncio.run(walk(settings, server.url, Path(folder), only))


if __name__ == "__main__":
    main()
