"""Described games are played live in real browsers: hidden cards, one seat, four seats; and Jostle on its own board."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest
from playwright.async_api import Page, expect
from sqlalchemy import select

from server.base.settings import Settings
from server.live.models import Match, MatchSeat
from server.rules.service import add_source
from server.study.settings import change_setting
from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.browser.test_games import ASKED, listen, seat_of
from tests.browser.test_match import HURRIED, PATIENCE_MS, Hall, Robot, hall, seated
from tests.people import new_account, session_cookie
from tests.server.workshop.described import FOUR_SEATS, ONE_SEAT
from tests.servers import LiveServer

pytestmark = pytest.mark.browser
__all__ = ["hall"]

ONE_CARD = "gdl:one-card"


async def offered(hall: Hall, source: str) -> str:
    """The reference of a description that is now the study's only game."""
    async with hall.database.transaction() as session:
        reference = (
            source if source.startswith("gdl:") else (await add_source(session, "gdl", source, "", "t")).reference
        )
        await change_setting(session, "games", [reference], changed_by="test")
        await change_setting(session, "company", 1, changed_by="test")
    return reference


async def joined(visit: Visit, hall: Hall, cookie: str, reference: str, **options: Any) -> Page:
    page = await visit(f"{hall.url}/", cookie=cookie, **options)
    await page.evaluate(HURRIED)
    await page.goto(f"{hall.url}/lobby?game={reference}")
    return page


async def test_two_people_bet_on_hidden_cards_and_learn_nothing_of_the_other(
    visit: Visit, hall: Hall, axe: str
) -> None:
    await offered(hall, ONE_CARD)
    pages = [
        await visit(f"{hall.url}/", cookie=cookie, width=width)
        for cookie, width in zip(hall.cookies, (1280, 390), strict=True)
    ]
    heard = [listen(page) for page in pages]
    for page in pages:
        await page.evaluate(HURRIED)
        await page.goto(f"{hall.url}/lobby?game={ONE_CARD}")
    matches = await asyncio.gather(*(seated(page) for page in pages))
    assert matches[0] == matches[1]
    if await seat_of(pages[0]) == 1:
        pages.reverse()
        heard.reverse()
    deal = await hall.database.pool.fetchval("SELECT move FROM match_moves WHERE match_id = $1 AND ply = 0", matches[0])
    cards = re.findall(r"\d", deal)

    for page, word in zip(pages, ("bet", "fold"), strict=True):  # nobody has to show a card
        await page.wait_for_selector(f'.your-turn [data-answer="{word}"]', timeout=PATIENCE_MS)
        assert await violations(page, axe) == []
        assert await wider_than_the_window(page) == []
        await page.locator(f'.your-turn [data-answer="{word}"]').click()
    for seat, (page, frames) in enumerate(zip(pages, heard, strict=True)):
        await expect(page.locator(".end-panel h2")).to_be_visible(timeout=PATIENCE_MS)
        told = [json.dumps(frame) for frame in frames if "position" in frame]
        assert told
        assert {number for text in told for number in re.findall(r"card\W{1,3}(\d)", text)} == {cards[seat]}
        assert not [text for text in told if re.search(r"holds|deal \d|shows", text)]
        seen = await page.locator("main").inner_text()
        assert not re.search(rf"card\W{{1,3}}{cards[1 - seat]}", seen)


@pytest.mark.parametrize(("source", "persons", "seats"), [(ONE_SEAT, 1, 1), (FOUR_SEATS, 3, 4)], ids=["one", "four"])
async def test_people_play_games_of_one_and_of_four_seats(
    visit: Visit, hall: Hall, settings: Settings, source: str, persons: int, seats: int
) -> None:
    reference = await offered(hall, source)
    more = [await new_account(hall.database) for _ in range(persons - len(hall.cookies))]
    cookies = [*hall.cookies, *[await session_cookie(hall.database, settings, account) for account in more]][:persons]
    pages = await asyncio.gather(*(joined(visit, hall, cookie, reference) for cookie in cookies))
    matches = set(await asyncio.gather(*(seated(page) for page in pages)))
    assert len(matches) == 1
    await asyncio.gather(*(Robot(page, by_keyboard=False).play_to_the_end() for page in pages))
    async with hall.database.sessions() as session:
        match = await session.get_one(Match, *matches)
        taken = list(await session.scalars(select(MatchSeat.person_id).where(MatchSeat.match_id == match.id)))
    assert len(taken) == seats and sum(person is not None for person in taken) == persons
    for page in pages:
        await expect(page.locator(".end-panel h2")).to_be_visible(timeout=PATIENCE_MS)
        assert await page.locator(".seat-score").all_inner_texts() == [str(score) for score in match.scores or ()]


async def test_described_jostle_is_practised_on_jostles_board(visit: Visit, site: LiveServer) -> None:
    boards = []
    for reference in ("jostle:standard", "gdl:jostle"):
        page = await visit(f"{site.url}/rules", quiet=False)
        await page.evaluate(HURRIED)
        await page.route("**/*.wasm", lambda route: route.abort())  # the server answers; it is about the board
        await page.goto(f"{site.url}/practice?game={reference}")
        await page.wait_for_selector(ASKED, timeout=PATIENCE_MS)
        fields = await page.locator(".board .field").count()
        pieces = await page.locator(".board .piece").count()
        boards.append((await page.locator("svg.board").get_attribute("viewBox"), fields, pieces))
    assert boards[0] == boards[1]
    assert boards[1][2] == 9
    for _ in range(3):
        await page.wait_for_selector(ASKED, timeout=PATIENCE_MS)
        asked = await page.locator(".table").get_attribute("data-asked") or ""
        await page.locator(ASKED).first.click()
        await page.wait_for_selector(f'.your-turn:not([data-asked="{asked}"]) [data-answer]', timeout=PATIENCE_MS)
    await expect(page.locator(".table-log li").filter(has_text="goes to").first).to_be_attached()
