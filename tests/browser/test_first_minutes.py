"""The first five minutes of a visitor, up to the first move of a real match, and of a proband, up to the next match.

Nobody types an address: every page, and the mail, leads on to the next one.
"""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from server.base.settings import Settings
from server.study.settings import change_setting
from tests.browser.conftest import Visit
from tests.browser.test_match import HURRIED, PATIENCE_MS, Hall, Robot, hall, seated
from tests.browser.test_questionnaire import choose, saved
from tests.people import PASSWORD
from tests.server.accounts.mailbox import arrived, links

pytestmark = pytest.mark.browser

__all__ = ["hall"]  # the fixture

ADDRESS = "newcomer@example.org"
MOST_SCREENS = 5


async def title(page: Page, words: str) -> None:
    await expect(page.get_by_role("heading", level=1)).to_have_text(words, timeout=PATIENCE_MS)


@pytest.mark.long
async def test_a_visitor_comes_to_the_first_move_in_five_screens(visit: Visit, hall: Hall, settings: Settings) -> None:
    async with hall.database.transaction() as session:
        await change_setting(
            session, "waiting_time", 2, changed_by="test"
        )  # nobody else comes: programs fill the table
    page = await visit(f"{hall.url}/", width=390, quiet=False)
    await page.evaluate(HURRIED)
    screens = []

    await page.get_by_role("link", name="Take part").click()
    await title(page, "Take part")
    screens.append("register")
    await page.get_by_label("Email address").fill(ADDRESS)
    await page.get_by_label("Password").fill("short")
    await page.evaluate("document.querySelector('form.card').noValidate = true")  # let the server find the mistake
    await page.get_by_role("button", name="Create account").click()
    await expect(page.get_by_label("Password")).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_label("Password")).to_be_focused()
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press("Enter")

    await title(page, "Check your email")
    screens.append("sent")
    await page.goto(hall.url + links((await arrived(settings))[-1])[0])
    await title(page, "Confirm your email address")
    screens.append("confirm")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Confirm").click()

    await title(page, "Before you play")
    screens.append("consent")
    await page.get_by_label("I agree (needed to play)").check()
    await page.get_by_role("main").get_by_role("button").last.click()

    await title(page, "Waiting for a table")
    screens.append("lobby")
    assert len(screens) <= MOST_SCREENS
    await seated(page)  # the lobby becomes the match
    assert await Robot(page, by_keyboard=False).decide()
    await page.close()


@pytest.mark.long
async def test_a_proband_plays_answers_and_is_one_click_from_the_next_match(visit: Visit, hall: Hall) -> None:
    async with hall.database.transaction() as session:
        await change_setting(session, "waiting_time", 2, changed_by="test")
    page = await visit(f"{hall.url}/", cookie=hall.cookies[0])
    await page.evaluate(HURRIED)
    await page.get_by_role("link", name="Play a match").click()
    match = await seated(page)
    await Robot(page, by_keyboard=True).play_to_the_end()

    panel = page.locator(".end-panel")
    await expect(panel.get_by_role("heading", name="What decided it")).to_be_visible(timeout=PATIENCE_MS)
    await panel.get_by_role("link", name="To the questionnaire").click()
    own = await page.evaluate("JSON.parse(document.querySelector('#replay').dataset.replay).you")
    for seat in {0, 1, 2} - {own}:
        await choose(page, "verdict", "human", seat)
        await choose(page, "challenge", "somewhat", seat)
    await choose(page, "enjoyment", "very")
    await saved(page)
    await page.get_by_role("button", name="Done").click()

    await title(page, "Thank you!")
    await expect(page.locator(".figures dd").first).to_have_text("1")
    assert not re.search(r"\d %", await page.locator(".told").inner_text()), "no share before it may be told"
    again = page.get_by_role("link", name="Play Jostle again")
    await expect(again).to_have_attribute("href", "/lobby?game=jostle%3Astandard")

    await page.get_by_role("main").get_by_role("link", name="My matches").click()
    await title(page, "My matches")
    await expect(page.locator(".own-matches time")).to_have_attribute("title", re.compile("UTC$"))
    await page.get_by_role("link", name=f"Replay of match {match}").click()
    result = page.locator(".end-panel.again")
    await expect(result.get_by_role("heading", name="What decided it")).to_be_visible(timeout=PATIENCE_MS)
    if await result.get_by_role("button").count():
        await result.get_by_role("button").last.click()
        await expect(page.locator(".replay-counter")).not_to_have_text(re.compile("^0 /"))

    await page.go_back()
    await title(page, "My matches")
    await page.get_by_role("navigation", name="Main").get_by_role("link", name="My account").click()
    await page.get_by_role("link", name="My data").click()
    await expect(page.get_by_role("heading", name="Answers about matches")).to_be_visible()
    await page.locator("details summary").first.click()
    await expect(page.locator(".answers").first).to_contain_text("human", ignore_case=True)
