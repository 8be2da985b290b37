"""An invented board game in a real browser: its rules in words, and a practice match on the grid."""

from __future__ import annotations

import os

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.browser.test_practice import HURRIED, PATIENCE_MS
from tests.servers import LiveServer

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
async def test_a_visitor_reads_the_invented_rules_and_plays_by_them(
    visit: Visit, site: LiveServer, axe: str, width: int, theme: str
) -> None:
    page = await visit(f"{site.url}/rules?game=evolved:second", width=width, theme=theme)
    await expect(page.locator("main")).to_contain_text("Whoever can capture has to.")
    if folder := os.environ.get("GRINTU_SHOTS"):
        await page.screenshot(path=f"{folder}/evolved-rules-{width}.png", full_page=True)
    await page.evaluate(HURRIED)
    await page.goto(f"{site.url}/practice?game=evolved:second")
    await page.wait_for_selector(".your-turn .square.source", timeout=PATIENCE_MS)
    assert await page.locator(".square .sign").count() >= 30
    assert await violations(page, axe) == []
    assert await wider_than_the_window(page) == []
    last = ""
    for _ in range(60):
        asked = f'.your-turn:not([data-asked="{last}"])'
        await page.wait_for_selector(
            f"{asked} .square.source, {asked} .square.target, .table.ended", timeout=PATIENCE_MS
        )
        if await page.locator(".table.ended").count():
            break
        last = await page.locator(".table").get_attribute("data-asked") or ""
        if await page.locator(".square[data-answer]").count() == 0:
            await page.locator(".square.source").last.click()
        if folder and last == "2":
            await page.screenshot(path=f"{folder}/evolved-{width}.png")
        await page.locator(".square[data-answer]").first.click()
    await expect(page.locator(".end-panel")).to_contain_text("Your opponent was a program", timeout=PATIENCE_MS)


async def test_a_piece_is_dragged_to_where_it_may_go_and_stays_where_it_may_not(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/practice?game=evolved:second")
    await page.evaluate(HURRIED)
    await page.reload()
    await page.wait_for_selector(".your-turn .square.source", timeout=PATIENCE_MS)
    asked = await page.locator(".table").get_attribute("data-asked")
    source = page.locator(".square.source").first
    piece = await source.get_attribute("data-cell")
    await drag(page, source, page.locator(".square:not(.target):not(.source)").first)
    assert await page.locator(".table").get_attribute("data-asked") == asked, "nothing was played"
    await source.click()
    target = await page.locator(".square.target").first.get_attribute("data-cell")
    await page.keyboard.press("Escape")
    await drag(page, page.locator(f'[data-cell="{piece}"]'), page.locator(f'[data-cell="{target}"]'))
    await page.wait_for_selector(f'.table:not([data-asked="{asked}"]), .table.ended', timeout=PATIENCE_MS)


async def drag(page: Page, source: Locator, target: Locator) -> None:
    """As a hand does it: in steps, and let go."""
    boxes = [await each.bounding_box() for each in (source, target)]
    (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(to_x, to_y, steps=8)
    await page.mouse.up()
