"""axe-core finds no serious violation on any page, in both themes, and no page is wider than a small phone."""

from __future__ import annotations

import pytest
from playwright.async_api import Page

from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.browser.pages import least_role, linked_pages, page_paths
from tests.servers import LiveServer

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("path", page_paths())
async def test_a_page_is_accessible(read: Visit, site: LiveServer, people: dict[str, str], axe: str, path: str) -> None:
    """As the least of the roles that may see it; light on a desktop, then dark on a small phone."""
    role = least_role(site.url, path, people)
    if role is None:
        pytest.skip("no page: data, a download, or something that must exist first")
    await check(await read(path, role), axe)


async def test_every_page_that_links_lead_to_is_accessible(
    read: Visit, site: LiveServer, people: dict[str, str], axe: str
) -> None:
    """The pages whose addresses have a number or a name in them, one of each kind."""
    found = linked_pages(site.url, people)
    assert any(path.startswith("/research/matches/") for path in found)
    for path, role in found.items():
        await check(await read(path, role), axe)


async def check(page: Page, axe: str) -> None:
    assert await violations(page, axe) == [], page.url
    await page.emulate_media(color_scheme="dark")
    await page.set_viewport_size({"width": 360, "height": 740})
    assert await violations(page, axe) == [], page.url
    assert await wider_than_the_window(page) == [], page.url
    assert await page.locator("h1").count() == 1, page.url
    assert await page.title(), page.url


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_error_page_is_accessible(visit: Visit, site: LiveServer, axe: str, theme: str) -> None:
    page = await visit(f"{site.url}/no-such-field", theme=theme, width=390, quiet=False)
    assert await violations(page, axe) == []
    assert await wider_than_the_window(page) == []
