"""A researcher lets programs meet, watches the table fill by itself, and anybody sees a challenge again."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from server.base.settings import Settings
from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.browser.people import logged_in
from tests.servers import LiveServer
from tests.workers import running_worker

pytestmark = pytest.mark.browser
PATIENCE_MS = 120_000
ENTRANTS = ("composed:RANDOMIZER", "composed:Winning RANDOMIZER", "minimax:nodes=100")


async def test_a_tournament_is_created_followed_published_and_seen_again(
    visit: Visit, live_server: LiveServer, settings: Settings, axe: str
) -> None:
    page = await visit(f"{live_server.url}/tournaments", cookie=await logged_in(settings, "researcher"))
    await page.get_by_role("link", name="New tournament").click()
    await page.get_by_label("Name", exact=True).fill("Autumn cup")
    await page.get_by_label("Game").select_option("tic-tac-toe:standard")
    await page.get_by_label("Entrants").fill("\n".join(ENTRANTS))
    await page.get_by_label("Rounds").fill("3")
    assert await violations(page, axe) == []
    await page.get_by_role("button", name="Create the tournament").click()
    now = page.locator("#tournament-now")
    await expect(now).to_have_attribute("data-played", "0")

    with running_worker(settings):
        # The page follows by itself until all is played.
        await expect(page.locator("[data-status=done]")).to_be_visible(timeout=PATIENCE_MS)
    await expect(now.get_by_text("9 of at most 9 challenges played")).to_be_visible()
    await expect(now.locator("tr[data-entrant]").first).to_contain_text("minimax:nodes=100")
    assert await violations(page, axe) == []
    await page.get_by_role("button", name="Show it to everybody").click()
    await expect(page.get_by_text("public", exact=True)).to_be_visible()

    visitor = await visit(page.url)
    await visitor.set_viewport_size({"width": 360, "height": 740})
    assert await violations(visitor, axe) == []
    assert await wider_than_the_window(visitor) == []
    await visitor.get_by_role("region", name="Who did how against whom").get_by_role("link").first.click()
    await visitor.get_by_role("region", name="Challenges").get_by_role("link").first.click()
    await expect(visitor.get_by_text("Match 1", exact=True)).to_be_visible()
    await visitor.get_by_role("link", name="Match 2").click()
    await expect(visitor.locator("#replay .replay")).to_be_attached(timeout=PATIENCE_MS)
    moves = await visitor.locator(".replay-moves li").count()
    assert 5 <= moves <= 9, "as many as a game of tic-tac-toe has"
    await visitor.get_by_role("button", name="To the end").click()
    await expect(visitor.locator(".replay-counter")).to_have_text(f"{moves} / {moves}")
    assert await violations(visitor, axe) == []
