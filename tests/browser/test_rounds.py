"""An admin schedules a round on a simulated study and watches it finish."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import Page, expect

from server.base.settings import Settings
from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.browser.people import logged_in
from tests.server.rounds.conftest import POPULATION, SEED
from tests.servers import LiveServer
from tests.workers import running_worker

pytestmark = pytest.mark.browser
PATIENCE_MS = 400_000  # a busy machine took longer than three minutes for a session
GENEROUS = {
    "tolerance": "0.35",
    "level": "0.35",
    "believable_experts": "3",
    "believable_share": "0.05",
    "max_generations": "3",
}


async def fill_in(page: Page) -> None:
    await page.get_by_label("Name", exact=True).fill("Rehearsal")
    await page.get_by_label("Seed").fill(str(SEED))
    await page.get_by_text("Change single settings").click()
    for name, value in GENEROUS.items():
        await page.get_by_label(name, exact=True).fill(value)
    await page.get_by_label("Start population").fill("\n".join(POPULATION))
    await page.get_by_label("At a time").check()
    soon = datetime.now(UTC) + timedelta(seconds=8)
    await page.get_by_label("Time (UTC)").fill(soon.strftime("%Y-%m-%dT%H:%M:%S"))
    await page.get_by_label("Simulated probands judge instead of people").check()
    await page.get_by_label("Persons").fill("40")
    await page.get_by_label("Judgements of each person per session").fill("40")


async def explore_the_family(page: Page) -> None:
    """Whoever goes to the answer sees its parents, all others fade; an arrow key leads to where it comes from."""
    tree, told = page.locator("figure.family svg"), page.locator("figure.family .told")
    answer = tree.locator("a").last
    await answer.focus()
    await expect(told).to_contain_text("0 descendants in those after.")
    kin, all_of_them = await tree.locator("a.kin").count(), await tree.locator("a").count()
    assert 1 < kin < all_of_them
    assert await tree.locator("path.kin").count() >= kin - 1, "a tree's lines lead to everybody in it"
    name = await answer.text_content()
    await page.keyboard.press("ArrowLeft")
    focused = page.locator("figure.family a:focus")
    assert (await focused.get_attribute("data-node") or "").startswith("1-"), "its parent is one population before"
    await expect(tree.locator("a.kin", has_text=(name or "").strip()).last).to_be_visible()
    await page.keyboard.press("ArrowRight")
    assert (await focused.get_attribute("data-node") or "").startswith("2-")
    await focused.blur()
    await expect(told).to_contain_text("Point at a strategy")
    await expect(tree.locator("a.kin").first).to_have_css("opacity", "1")
    assert "tracing" not in (await tree.get_attribute("class") or "")


async def test_an_admin_schedules_a_round_and_watches_it_finish(
    visit: Visit, live_server: LiveServer, settings: Settings, axe: str
) -> None:
    page = await visit(f"{live_server.url}/admin/rounds", cookie=await logged_in(settings, "admin"))
    await page.get_by_role("link", name="New round").click()
    await fill_in(page)
    await page.get_by_role("button", name="Create the round").click()
    now = page.locator("#round-now")
    await expect(now.get_by_text("The next step is not taken before")).to_be_visible()
    await expect(now).to_have_attribute("data-step", "0")

    with running_worker(settings):
        # One step at that time, then the round waits for the admin; the page follows by itself.
        await expect(now).to_have_attribute("data-step", "1", timeout=PATIENCE_MS)
        await expect(now.get_by_text("For an admin to say")).to_be_visible(timeout=PATIENCE_MS)
        await expect(page.get_by_label("Not before I say so")).to_be_checked()
        assert await violations(page, axe) == []
        await page.get_by_label("Step after step, until the round is done").check()
        await page.get_by_role("button", name="Change the schedule").click()
        await expect(page.locator("[data-status=done]")).to_be_visible(timeout=PATIENCE_MS)

    await expect(page.locator("#answer")).to_have_text("Observing Lingering ADVANCER")
    steps = page.locator("#decisions ~ details > summary strong")
    await expect(steps).to_have_text(["Step 3: done", "Step 2: strip", "Step 1: strip", "Step 0: start"])
    await expect(page.locator("figure.family text.head")).to_have_text(["Population 0", "Population 1", "Population 2"])
    assert await violations(page, axe) == []
    await explore_the_family(page)
    await page.emulate_media(color_scheme="dark")
    await page.set_viewport_size({"width": 360, "height": 740})
    assert await violations(page, axe) == []
    assert await wider_than_the_window(page) == []

    await page.get_by_role("link", name="Jobs").click()
    await expect(page.get_by_role("row", name="rounds.step")).to_contain_text("successful")
    await expect(page.get_by_role("row", name="rounds.follow")).to_contain_text("every minute")
    assert await violations(page, axe) == []
    await page.goto("about:blank")  # the page would go on asking a server that ends now
