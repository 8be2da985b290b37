"""The first practice game explains itself: the goal on the board, rules when they first happen. The rules are told in
pictures that the boards draw themselves."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.browser.test_practice import HURRIED, PATIENCE_MS, QUESTION
from tests.servers import LiveServer

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 390])
async def test_the_first_game_is_coached_until_somebody_has_enough(
    visit: Visit, site: LiveServer, axe: str, width: int
) -> None:
    page = await visit(f"{site.url}/practice?game=jostle:standard", width=width)
    coach = page.locator(".coach")
    await expect(coach).to_contain_text("The goal", timeout=PATIENCE_MS)
    assert await violations(page, axe) == []
    assert await wider_than_the_window(page) == []
    await coach.get_by_role("button", name="Skip the introduction").click()
    await expect(coach).to_be_hidden()
    await page.reload()
    await page.wait_for_selector(QUESTION, timeout=PATIENCE_MS)
    await expect(coach).to_have_count(0)


async def test_it_can_be_asked_for_again(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/rules")
    await page.evaluate("localStorage.setItem('grintu.coached.tricks:standard', 'yes')")
    await page.goto(f"{site.url}/practice?game=tricks:standard")
    await page.wait_for_selector("button.playing-card", timeout=PATIENCE_MS)
    await expect(page.locator(".coach")).to_have_count(0)
    await page.get_by_role("button", name="Explain the rules as they happen").click()
    await expect(page.locator(".coach")).to_contain_text("The goal", timeout=PATIENCE_MS)


async def test_it_tells_each_rule_once_and_ends_with_the_game(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/rules")
    await page.evaluate(HURRIED)
    await page.evaluate("""() => sessionStorage.setItem("told", "")""")
    await page.add_init_script(
        """new MutationObserver(() => {
            const told = document.querySelector(".coach:not([hidden]) h2")?.textContent;
            const before = sessionStorage.getItem("told") ?? "";
            if (told && !before.endsWith(`${told}|`)) sessionStorage.setItem("told", `${before}${told}|`);
        }).observe(document, { subtree: true, childList: true, attributes: true });"""
    )
    await page.goto(f"{site.url}/practice?game=tic-tac-toe:standard")
    for _ in range(9):
        await page.wait_for_selector(".your-turn .square.target, .table.ended", timeout=PATIENCE_MS)
        if await page.locator(".table.ended").count():
            break
        asked = await page.locator(".table").get_attribute("data-asked")
        await page.locator(".square.target").first.click()
        await page.wait_for_selector(f'.table.ended, .table:not([data-asked="{asked}"])', timeout=PATIENCE_MS)
    await expect(page.locator(".end-panel")).to_be_visible(timeout=PATIENCE_MS)
    told = (await page.evaluate("""sessionStorage.getItem("told")""")).strip("|").split("|")
    assert told == ["The goal", "Your turn", "Two in a row"]
    assert await page.evaluate("""localStorage.getItem("grintu.coached.tic-tac-toe:standard")""") == "yes"


@pytest.mark.parametrize(
    ("game", "drawn"),
    [("jostle:standard", "svg .piece"), ("tic-tac-toe:standard", ".square"), ("tricks:standard", ".playing-card")],
)
async def test_the_rules_are_told_in_pictures(visit: Visit, site: LiveServer, axe: str, game: str, drawn: str) -> None:
    page = await visit(f"{site.url}/games/{game}/rules", width=360)
    pictures = await page.locator(".rule-board").all()
    assert len(pictures) >= 4
    for picture in pictures:
        await expect(picture.locator(drawn).first).to_be_attached(timeout=PATIENCE_MS)
    assert await wider_than_the_window(page) == []
    assert await violations(page, axe) == []
