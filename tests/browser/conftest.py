"""Chromium for tests, driven with Playwright's asynchronous interface on the run's one event loop.

- `chromium`   the browser (session)
- `site`       one server for all tests that only look at pages (session)
- `people`     the session cookies of one account of `site` per role (session)
- `visit`      opens a page with cookies of its own: `page = await visit(f"{site.url}/status", cookie=people["admin"])`;
               whatever it writes to the console as an error fails the test, unless `quiet=False`
- `read`       the same for pages that are only looked at, one after another in one tab per role, which is much
               cheaper: `page = await read("/status", "admin")`

For a test that changes data use `live_server` and `tests.browser.people.logged_in(settings, role)`.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urljoin

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect
from pydantic import SecretStr
from sqlalchemy import select
from sqlalchemy.engine import make_url

from server.accounts.models import Account, Person
from server.accounts.sessions import COOKIE
from server.base.clock import now
from server.base.settings import ROOT, Settings
from server.storage.database import connect
from tests.browser.people import ROLES, logged_in
from tests.databases import copy_database
from tests.server.questionnaires.conftest import played_match
from tests.servers import LiveServer, running_server

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HEIGHTS = {1280: 800, 768: 1024, 390: 844, 360: 740}

PATIENCE_MS = 60_000
"""What a page is to show may need a process that is only being started, on a machine that does much else meanwhile."""
expect.set_options(timeout=PATIENCE_MS)

Visit = Callable[..., Coroutine[Any, Any, Page]]


@pytest.fixture(scope="session")
def built() -> None:
    """The bundles are those of the present sources; the build does nothing where nothing has changed."""
    subprocess.run(["node", "build.mjs"], cwd=ROOT / "client_web", check=True, capture_output=True, timeout=280)


@pytest.fixture(scope="session")
async def chromium(built: None) -> AsyncIterator[Browser]:
    path = shutil.which("chromium")
    assert path, "chromium is not installed; make test installs it"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
def site_settings(postgres_url: str, template: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    name = "browser_site"

    async def copy_template() -> None:
        connection = await asyncpg.connect(postgres_url)
        await copy_database(connection, name, template)
        await connection.close()

    asyncio.run(copy_template())
    url = make_url(postgres_url).set(database=name).render_as_string(hide_password=False)
    return Settings(
        _env_file=None,
        secret_key=SecretStr("a secret for browser tests that is long enough"),
        database_url=SecretStr(url),
        data_dir=tmp_path_factory.mktemp("site"),
    )


@pytest.fixture(scope="session")
def site(built: None, site_settings: Settings) -> Iterator[LiveServer]:
    with running_server(site_settings) as server:
        yield server


@pytest.fixture(scope="session")
async def people(site: LiveServer, site_settings: Settings) -> dict[str, str]:
    """With a match that the proband has played, so that the pages about matches have something to show."""
    cookies = {role: await logged_in(site_settings, role) for role in ROLES}
    assert site_settings.database_url is not None
    async with (
        connect(site_settings.database_url.get_secret_value(), size=1, raw_size=1) as database,
        database.transaction() as session,
    ):
        played = await session.scalars(select(Person).join(Account).where(Account.role == "proband"))
        await played_match(session, played.one(), Person(pseudonym="another", created_at=now()))
    return cookies


@pytest.fixture
async def visit(chromium: Browser) -> AsyncIterator[Visit]:
    async with visiting(chromium) as open_page:
        yield open_page


@pytest.fixture(scope="module")
async def read(chromium: Browser, site: LiveServer, people: dict[str, str]) -> AsyncIterator[Visit]:
    tabs: dict[str, Page] = {}
    async with visiting(chromium) as open_page:

        async def read_page(path: str, role: str) -> Page:
            url = site.url + path
            if role not in tabs:
                tabs[role] = await open_page(url, cookie=people.get(role))
                return tabs[role]
            tab = tabs[role]
            await tab.emulate_media(color_scheme="light")
            await tab.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
            answer = await tab.goto(url)
            assert answer is not None
            assert (answer.status, answer.url) == (200, url), "still logged in, whatever was read before"
            return tab

        yield read_page


@asynccontextmanager
async def visiting(chromium: Browser) -> AsyncIterator[Visit]:
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    async def open_page(
        url: str,
        *,
        cookie: str | None = None,
        language: str = "en",
        theme: str = "light",
        width: int = 1280,
        reduced_motion: bool = True,
        quiet: bool = True,
    ) -> Page:
        context = await chromium.new_context(
            viewport={"width": width, "height": HEIGHTS.get(width, 800)},
            locale=language,
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce" if reduced_motion else "no-preference",
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        if cookie is not None:
            whole_site = urljoin(url, "/")  # else the cookie is only for the folder of this page
            await context.add_cookies([{"name": COOKIE, "value": cookie, "url": whole_site}])
        page = await context.new_page()
        if quiet:
            page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
            page.on(
                "console", lambda said: complaints.append(f"{page.url}: {said.text}") if said.type == "error" else None
            )
        await page.goto(url)
        return page

    yield open_page
    for context in contexts:
        await context.close()
    assert not complaints, complaints


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, to be evaluated in a page."""
    return (ROOT / "client_web" / "node_modules" / "axe-core" / "axe.min.js").read_text()
