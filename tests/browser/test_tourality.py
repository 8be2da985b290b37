"""Tourality in a real browser: beetles are led by arrow keys or clicks, on the grid that serves every square board."""

from __future__ import annotations

import os

import pytest
from playwright.async_api import Page, expect

from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.browser.test_practice import HURRIED, PATIENCE_MS
from tests.servers import LiveServer

pytestmark = pytest.mark.browser
KEYS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}
TOWARDS_A_LEAF = """() => {
    const place = (cell) => [cell.charCodeAt(0) - 97, Number(cell.slice(1))];
    const squares = [...document.querySelectorAll(".square")];
    const green = squares.filter((square) => square.querySelector(".leaf-body"));
    const leaves = green.map((square) => place(square.dataset.cell));
    const far = (cell) => {
        const [x, y] = place(cell);
        return Math.min(...leaves.map(([a, b]) => Math.abs(a - x) + Math.abs(b - y)));
    };
    const targets = squares.filter((square) => square.dataset.answer);
    targets.sort((a, b) => far(a.dataset.cell) - far(b.dataset.cell) || Math.random() - 0.5);
    return targets[0]?.dataset.answer ?? null;
}"""


async def play(page: Page, *, by_keys: bool) -> None:
    """To the end, mostly towards the nearest leaf; sometimes somewhere, because stones are in the way."""
    last = ""
    for number in range(400):
        asked = f'.your-turn:not([data-asked="{last}"])'
        await page.wait_for_selector(f"{asked} [data-answer], .table.ended", timeout=PATIENCE_MS)
        if await page.locator(".table.ended").count():
            return
        last = await page.locator(".table").get_attribute("data-asked") or ""
        answers = page.locator(".square[data-answer]")
        step = await page.evaluate(TOWARDS_A_LEAF)
        if number % 5 == 4:
            step = await answers.nth(number % await answers.count()).get_attribute("data-answer")
        if by_keys:
            await page.keyboard.press(KEYS[step])
        else:
            await page.locator(f'.square[data-answer="{step}"]').click()
    raise AssertionError("the game did not end")


@pytest.mark.parametrize(("width", "theme", "by_keys"), [(1280, "light", True), (390, "dark", False)])
async def test_a_visitor_races_for_leaves(
    visit: Visit, site: LiveServer, axe: str, width: int, theme: str, by_keys: bool
) -> None:
    page = await visit(f"{site.url}/rules?game=tourality:garden", width=width, theme=theme)
    assert "beetle" in await page.locator("main").inner_text()
    await page.evaluate(HURRIED)
    await page.goto(f"{site.url}/practice?game=tourality:garden")
    await page.wait_for_selector(".your-turn [data-answer]", timeout=PATIENCE_MS)
    assert await page.locator(".leaf-body").count() == 11
    assert await page.locator(".stone-body").count() == 10
    if folder := os.environ.get("GRINTU_SHOTS"):
        await page.screenshot(path=f"{folder}/tourality-{width}.png")
    assert await violations(page, axe) == []
    assert await wider_than_the_window(page) == []
    await play(page, by_keys=by_keys)
    await expect(page.locator(".end-panel")).to_contain_text("Your opponent was a program")
    gathered = sum(map(int, await page.locator(".seat-score").all_inner_texts()))
    assert 0 < gathered == 11 - await page.locator(".leaf-body").count()
