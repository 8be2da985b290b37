"""axe-core finds no serious violation on any page, in both themes, and no page is wider than a small phone."""

from __future__ import annotations

import pytest

from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.browser.pages import least_role, page_paths
from tests.servers import LiveServer

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("path", page_paths())
async def test_a_page_is_accessible(
    visit: Visit, site: LiveServer, people: dict[str, str], axe: str, path: str
) -> None:
    """As the least of the roles that may see it; light on a desktop, then dark on a small phone."""
    role = least_role(site.url, path, people)
    if role is None:
        pytest.skip("no page: data, a download, or something that must exist first")
    page = await visit(site.url + path, cookie=people.get(role))
    assert await violations(page, axe) == []
    await page.emulate_media(color_scheme="dark")
    await page.set_viewport_size({"width": 360, "height": 740})
    assert await violations(page, axe) == []
    assert await wider_than_the_window(page) == []
    assert await page.locator("h1").count() == 1
    assert await page.title()


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_error_page_is_accessible(visit: Visit, site: LiveServer, axe: str, theme: str) -> None:
    page = await visit(f"{site.url}/no-such-field", theme=theme, width=390, quiet=False)
    assert await violations(page, axe) == []
    assert await wider_than_the_window(page) == []
