"""The first five minutes of a visitor, up to the first move of a real match; of a proband, up to the next match; of a
researcher, from the study to a draft of one's own and an export; and of an admin, from what needs attention to a round.

Nobody types an address: every page, and the mail, leads on to the next one.
"""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from sqlalchemy import select

from server.accounts.models import Role
from server.base.settings import Settings
from server.live.models import Match
from server.study.settings import change_setting
from tests.browser.conftest import Visit
from tests.browser.test_match import HURRIED, PATIENCE_MS, Hall, Robot, hall, seated
from tests.browser.test_questionnaire import choose, saved
from tests.people import PASSWORD, new_account
from tests.server.accounts.mailbox import arrived, links
from tests.server.exports.test_export import answered_match
from tests.workers import running_worker

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


async def logged_in_by_form(visit: Visit, hall: Hall, role: Role) -> Page:
    """From the home page by way of the menu, with address and password."""
    account = await new_account(hall.database, role)
    page = await visit(f"{hall.url}/", quiet=False)  # a form that comes back with mistakes is told to the console, too
    menu = page.get_by_role("navigation", name="Main")
    await menu.get_by_role("link", name="Log in").click()
    await page.get_by_label("Email address").fill(account.email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Log in").click()
    await expect(menu.get_by_role("link", name="Practice")).to_be_visible()
    await expect(menu.get_by_role("link", name="Play", exact=True)).to_be_visible()
    return page


@pytest.mark.long
async def test_a_researcher_finds_the_study_changes_a_questionnaire_and_takes_the_data(
    visit: Visit, hall: Hall, settings: Settings
) -> None:
    async with hall.database.sessions() as session:
        await answered_match(session)
        match = (await session.scalars(select(Match.id))).one()
    page = await logged_in_by_form(visit, hall, Role.RESEARCHER)

    await title(page, "Study overview")
    await expect(page.locator("[data-total=matches]")).to_have_text("1")
    sections = page.get_by_role("navigation", name="Research")
    await sections.get_by_role("link", name="Matches").click()
    await page.get_by_role("row").filter(has_text=str(match)).get_by_role("link").first.click()
    await expect(page.locator(".replay-moves li").first).to_be_visible(timeout=PATIENCE_MS)

    # A draft with a mistake: told where it is, kept, and not to be published before it is mended.
    await sections.get_by_role("link", name="Questionnaires").click()
    await sections.get_by_role("link", name="Versions").click()
    await page.locator("tr", has_text="After a match").get_by_role("button", name="Copy into a draft").click()
    german = page.get_by_label("Title (de)")
    words = await german.input_value()
    await german.fill("")
    await expect(page.locator("#editor[data-state=saved]")).to_have_attribute("data-mistakes", "1")
    await expect(german).to_have_attribute("aria-invalid", "true")
    await page.get_by_role("link", name="Publish").click()
    await expect(page.get_by_text("This draft has mistakes.")).to_be_visible()
    await page.get_by_role("main").get_by_role("link", name="Edit").click()
    await german.fill(words)
    await expect(page.locator("#editor[data-state=saved]")).to_have_attribute("data-mistakes", "0")

    await sections.get_by_role("link", name="Exports").click()
    await expect(page.locator("input[name=what]:not(:checked)")).to_have_count(0)
    await page.get_by_role("button", name="Make the export").click()
    with running_worker(settings):
        await expect(page).to_have_title(re.compile("Export ready"), timeout=PATIENCE_MS)
    async with page.expect_download() as coming:
        await page.get_by_role("link", name="Download").click()
    archive = Path(await (await coming.value).path()).read_bytes()
    with zipfile.ZipFile(io.BytesIO(archive)) as tables:
        (name,) = (one for one in tables.namelist() if one.endswith("judgements_joined.csv"))
        rows = tables.read(name).decode().splitlines()
        assert len(rows) > 1 and "verdict" in rows[0], "a row per judgement"


@pytest.mark.long
async def test_an_admin_sees_what_needs_attention_changes_settings_invites_and_begins_a_round(
    visit: Visit, hall: Hall, settings: Settings
) -> None:
    page = await logged_in_by_form(visit, hall, Role.ADMIN)

    await title(page, "Administration")
    await expect(page.get_by_role("heading", name="What needs attention")).to_be_visible()
    await expect(page.locator("#health + dl")).to_contain_text("silent")  # no worker has been started
    sections = page.get_by_role("navigation", name="Administration")

    # Several settings, one of them out of bounds: none is saved, and the mistake leads to its field.
    await sections.get_by_role("link", name="Settings").click()
    await page.get_by_label("Pace of the board", exact=True).fill("3")
    await page.get_by_label("Size of the panel", exact=True).fill("1000")
    await page.get_by_role("button", name="Save all settings").click()
    await expect(page.get_by_text("Nothing was saved:")).to_be_visible()
    await page.get_by_role("alert").get_by_role("link", name="Size of the panel").click()
    await expect(page.get_by_label("Size of the panel", exact=True)).to_be_focused()
    await page.get_by_label("Size of the panel", exact=True).fill("6")
    await page.get_by_role("button", name="Save all settings").click()
    await expect(page.get_by_text("Saved: Pace of the board, Size of the panel")).to_be_visible()

    await sections.get_by_role("link", name="Accounts").click()
    await page.get_by_text("Invite somebody").click()
    await page.get_by_label("Email address").fill("colleague@example.org")
    await page.locator("#invited-role").select_option("researcher")
    await page.get_by_role("button", name="Invite", exact=True).click()
    await expect(page.get_by_text("The invitation is on its way.")).to_be_visible()
    await expect(page.get_by_role("row").filter(has_text="colleague@example.org")).to_contain_text("not confirmed")

    # A round by a form: what counts only with another choice is not asked.
    await sections.get_by_role("link", name="Rounds").click()
    await page.get_by_role("link", name="New round").click()
    await expect(page.get_by_label("Planted human factor")).to_be_hidden()
    await expect(page.get_by_label("Time (UTC)")).to_be_hidden()
    await page.get_by_label("Simulated probands judge instead of people").check()
    await expect(page.get_by_label("Planted human factor")).to_be_visible()
    await page.get_by_label("Simulated probands judge instead of people").uncheck()
    await page.get_by_label("At a time").check()
    await expect(page.get_by_label("Time (UTC)")).to_be_visible()
    await page.get_by_label("Not before I say so").check()
    await page.get_by_label("Name", exact=True).fill("The first one")
    await page.get_by_role("button", name="Create the round").click()
    await title(page, "The first one")
    await expect(page.locator("#round-now").get_by_text("For an admin to say")).to_be_visible()

    await sections.get_by_role("link", name="Home").click()
    await expect(page.get_by_role("link", name="The first one")).to_be_visible()
    await sections.get_by_role("link", name="Audit log").click()
    for action in ("Pace of the board", "Size of the panel", "invited a person", "created a round"):
        await expect(page.get_by_role("row").filter(has_text=action).first).to_be_visible()
