"""The practice game in a real browser: no account, playable at once, by keyboard alone, and told in words."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Visit
from tests.servers import LiveServer

pytestmark = pytest.mark.browser

HURRIED = "localStorage.setItem('grintu.speed', '40')"
PATIENCE_MS = 60_000
QUESTION = ".your-turn [data-answer]"
WATCH = """selector => {
    const piece = document.querySelector(selector);
    const places = new Set([piece.getAttribute("transform")]);
    globalThis.onItsWay = new Promise((resolve) =>
        new MutationObserver(() => places.add(piece.getAttribute("transform")).size > 2 && resolve())
            .observe(piece, { attributeFilter: ["transform"] }));
}"""


async def open_practice(visit: Visit, site: LiveServer, **options: object) -> Page:
    page = await visit(f"{site.url}/rules", **options)
    await page.evaluate(HURRIED)
    await page.goto(f"{site.url}/practice")
    await page.wait_for_selector(QUESTION, timeout=PATIENCE_MS)
    return page


async def until_a_piece_is_asked(page: Page) -> None:
    """Keeps every six, so that the next question is which piece to move."""
    await page.wait_for_selector(QUESTION, timeout=PATIENCE_MS)
    if await page.locator('[data-answer="keep"]').count():
        await page.keyboard.press("k")
    await page.wait_for_selector(".choice-piece", timeout=PATIENCE_MS)


async def test_a_visitor_plays_a_whole_game_by_keyboard_while_the_engine_is_loading(
    visit: Visit, site: LiveServer
) -> None:
    page = await visit(f"{site.url}/rules", quiet=False)
    await page.evaluate(HURRIED)
    await page.route("**/*.wasm", lambda route: route.abort())  # the engine never comes: the server answers instead
    await page.goto(f"{site.url}/practice")
    last = ""
    for _ in range(400):
        question = f'.your-turn:not([data-asked="{last}"])'
        await page.wait_for_selector(f"{question} [data-answer], .table.ended", timeout=PATIENCE_MS)
        keys = await page.locator(f"{question} [data-answer]").evaluate_all(
            "buttons => buttons.map(button => button.getAttribute('aria-keyshortcuts'))"
        )
        if not keys:
            break
        last = await page.locator(".table").get_attribute("data-asked") or ""
        await page.keyboard.press(keys[0])
    await expect(page.locator(".end-panel")).to_contain_text("Your opponents were programs")
    await expect(page.locator(".table-log li").last).to_contain_text("The game is over.")
    assert sum(map(int, await page.locator(".seat-score").all_inner_texts())) > 0


async def test_the_engine_in_the_worker_plays_on_as_the_server_began(visit: Visit, site: LiveServer) -> None:
    page = await open_practice(visit, site)
    await expect(page.locator("#engine")).to_have_attribute("data-engine", "ready", timeout=90_000)
    asked_server: list[str] = []
    page.on("request", lambda request: asked_server.append(request.url) if "/api/practice" in request.url else None)
    before = int(await page.locator(".table").get_attribute("data-asked") or 0)
    await until_a_piece_is_asked(page)
    await page.locator(".choice-piece").first.click()
    await page.wait_for_selector(f'.your-turn:not([data-asked="{before}"]) [data-answer]', timeout=PATIENCE_MS)
    assert asked_server == []


async def test_a_visitor_chooses_how_well_the_opponent_plays(visit: Visit, site: LiveServer) -> None:
    """The worker searches; nothing is asked of the server."""
    page = await visit(f"{site.url}/rules")
    await page.evaluate(HURRIED)
    await page.goto(f"{site.url}/practice?game=tic-tac-toe:standard")
    asked_server: list[str] = []
    await page.get_by_label("Opponents").select_option("Club player")
    await page.wait_for_url("**level=club**")
    page.on("request", lambda request: asked_server.append(request.url) if "/api/practice" in request.url else None)
    await expect(page.get_by_label("Opponents")).to_have_value("club")
    for _ in range(9):
        await page.wait_for_selector(f"{QUESTION}, .table.ended", timeout=PATIENCE_MS)
        if await page.locator(".table.ended").count():
            break
        before = await page.locator(".table").get_attribute("data-asked") or ""
        await page.locator(QUESTION).first.click()
        await page.wait_for_selector(
            f'.your-turn:not([data-asked="{before}"]) [data-answer], .table.ended', timeout=PATIENCE_MS
        )
    await expect(page.locator(".end-panel")).to_contain_text("mcts:simulations=120", timeout=PATIENCE_MS)
    assert asked_server == []


async def test_pointing_at_a_piece_shows_where_it_would_land(visit: Visit, site: LiveServer) -> None:
    page = await open_practice(visit, site)
    await until_a_piece_is_asked(page)
    assert await page.locator(".board .marker").count() >= 1
    assert await page.locator(".board .piece.movable").count() == await page.locator(".choice-piece").count()
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".board .ghost").first).to_be_attached()
    await expect(page.locator(".board .ways .way").first).to_be_attached()
    await expect(page.locator(".choice-piece:focus")).to_contain_text(re.compile(r"Piece \d from .*: Red \d goes to"))


async def test_a_click_on_the_board_moves_the_piece_and_is_told_in_words(visit: Visit, site: LiveServer) -> None:
    page = await open_practice(visit, site)
    await until_a_piece_is_asked(page)
    await page.locator(".board .marker").first.click()
    await expect(page.locator(".table-log li.seat-0").filter(has_text="goes to").first).to_be_visible()
    await expect(page.locator('.table [role="status"]')).not_to_be_empty()


async def test_an_answer_is_shown_within_the_frame_in_which_it_is_given(visit: Visit, site: LiveServer) -> None:
    """Before the event that gives the answer is over, the page has changed: nothing is waited for."""
    page = await open_practice(visit, site)
    await until_a_piece_is_asked(page)
    changed = await page.evaluate(
        """() => {
            const key = document.querySelector(".choice-piece").getAttribute("aria-keyshortcuts");
            document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            return document.querySelector(".your-turn") === null && document.querySelector(".board .movable") === null;
        }"""
    )
    assert changed


@pytest.mark.parametrize("width", [1280, 390])
async def test_the_table_fits_the_screen(visit: Visit, site: LiveServer, width: int) -> None:
    page = await open_practice(visit, site, width=width)
    overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert overflow <= 0
    box = await page.locator(".board").bounding_box()
    tray = await page.locator(".tray-panel").bounding_box()
    height = await page.evaluate("window.innerHeight")
    assert box is not None and tray is not None
    assert box["y"] + box["height"] <= height and tray["y"] + tray["height"] <= height


async def test_motion_is_shown_unless_it_is_to_be_reduced(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/practice", reduced_motion=False)
    await until_a_piece_is_asked(page)
    number = await page.locator(".board .piece.movable").first.get_attribute("data-piece")
    await page.evaluate(WATCH, f'.board .piece[data-piece="{number}"]')
    await page.keyboard.press(str(int(number or 0) % 3 + 1))
    async with asyncio.timeout(PATIENCE_MS / 1000):
        await page.evaluate("() => globalThis.onItsWay")  # seen at a third place, not only at start and end


async def test_a_practice_game_survives_a_reload(visit: Visit, site: LiveServer) -> None:
    """Where it stood, with what was told: and it is played on from there."""
    page = await open_practice(visit, site)
    for _ in range(2):
        await until_a_piece_is_asked(page)
        asked = await page.locator(".table").get_attribute("data-asked")
        await page.locator(QUESTION).first.click()
        await page.wait_for_selector(f'.your-turn:not([data-asked="{asked}"]) [data-answer]', timeout=PATIENCE_MS)
    pieces, told = await standing(page), await page.locator(".table-log li").all_inner_texts()
    assert told

    await page.reload()
    await page.wait_for_selector(QUESTION, timeout=PATIENCE_MS)
    assert await standing(page) == pieces
    assert await page.locator(".table-log li").all_inner_texts() == told
    await until_a_piece_is_asked(page)
    asked = await page.locator(".table").get_attribute("data-asked")
    await page.locator(QUESTION).first.click()
    await page.wait_for_selector(f'.your-turn:not([data-asked="{asked}"]) [data-answer]', timeout=PATIENCE_MS)


async def standing(page: Page) -> list[str]:
    """Where every piece is drawn."""
    places: list[str] = await page.locator(".board .piece").evaluate_all(
        "pieces => pieces.sort((a, b) => a.dataset.piece - b.dataset.piece).map(each => each.getAttribute('transform'))"
    )
    return places
