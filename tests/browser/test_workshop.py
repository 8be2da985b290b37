"""A researcher brings tic-tac-toe as a description, sees what is wrong with it and its board, and plays it."""

from __future__ import annotations

import json
import re

import pytest
from playwright.async_api import Page, expect

from games.registry import game
from server.base.settings import Settings
from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.browser.people import logged_in
from tests.browser.test_match import HURRIED, PATIENCE_MS
from tests.servers import LiveServer

pytestmark = pytest.mark.browser

DESCRIPTION = game("gdl:tic-tac-toe").source
LOOK = json.dumps(
    {
        "en": {"title": "Moon and star", "seats": {"x": "star", "o": "moon"}, "pieces": {"x": "star", "o": "moon"}},
        "de": {"title": "Mond und Stern"},
        "board": {"chequered": False},
        "pieces": {"x": {"sign": "★"}, "o": {"sign": "☾"}},
    },
    ensure_ascii=False,
    indent=2,
)


async def send(page: Page, description: str, look: str, button: str) -> None:
    await page.get_by_label("Source").fill(description)
    await page.get_by_label("How people see it").fill(look)
    await page.get_by_role("button", name=button, exact=True).click()
    await expect(page.locator(".findings, .preview").first).to_be_visible(timeout=PATIENCE_MS)


async def test_a_description_is_uploaded_seen_and_practised(
    built: None, visit: Visit, live_server: LiveServer, settings: Settings, axe: str
) -> None:
    cookie = await logged_in(settings, "researcher")
    page = await visit(f"{live_server.url}/research/games/new", cookie=cookie, quiet=False)  # a refusal is a 422
    await page.evaluate(HURRIED)

    await send(page, DESCRIPTION.replace("(role o)", "(role o"), "", "Check")
    await expect(page.locator(".finding-head").first).to_contain_text("Line 4, column 1")
    await page.locator(".finding-place").first.click()
    selected = "area => area.value.slice(area.selectionStart, area.selectionEnd)"
    assert await page.get_by_label("Source").evaluate(selected) == "(role o"

    await send(page, DESCRIPTION, LOOK, "Check")
    await expect(page.locator(".preview .square")).to_have_count(9)
    assert await violations(page, axe) == []
    await page.set_viewport_size({"width": 390, "height": 844})
    assert await wider_than_the_window(page) == []
    await page.get_by_role("button", name="Check and add").click()

    await expect(page.get_by_role("heading", name="Moon and star", level=1)).to_be_visible(timeout=PATIENCE_MS)
    await expect(page.locator(".preview .square")).to_have_count(9)
    assert await violations(page, axe) == []
    await page.get_by_role("button", name="Put it into the study").click()
    await expect(page.locator("h1 .badge")).to_have_text("in the study")

    assert await page.get_by_role("link", name="against: Club player").count() == 1
    await page.get_by_role("link", name="Practise", exact=True).click()
    await expect(page.get_by_role("heading", name="Practice game: Moon and star")).to_be_visible()
    while await page.locator(".end-panel").count() == 0:
        free = page.locator(".your-turn .square.target").first
        await expect(free.or_(page.locator(".end-panel")).first).to_be_visible(timeout=PATIENCE_MS)
        if await free.count():
            taken = await free.get_attribute("data-cell")
            await free.click()
            await expect(page.locator(f'[data-cell="{taken}"]')).to_have_attribute(
                "aria-label", re.compile("Star star")
            )
    await expect(page.locator(".end-panel li")).to_contain_text("Moon:")
