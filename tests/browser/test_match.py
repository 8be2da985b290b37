"""Whole matches in real browsers: two people and a program play to the questionnaire's door. With a reload and a lost
connection on the way they do so in test_questionnaire.py, and go through that door."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from playwright.async_api import Page, expect
from sqlalchemy import func, select

from games.book import read_book, replay
from server.accounts.models import Account
from server.base.clock import now
from server.base.settings import Settings
from server.live.models import InteractionBatch, Match, MatchEvent, MatchMove, MatchSeat, Source
from server.questionnaires.service import open_sheet
from server.storage.database import Database
from server.study.settings import change_setting
from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.people import new_account, session_cookie
from tests.server.live.conftest import serving

pytestmark = pytest.mark.browser

PACE = "0.03"
PATIENCE_MS = 60_000
ENGINE_MS = 90_000  # a busy machine compiles slowly
READ_CHOICES = """buttons => buttons.map(button => [
    button.closest(".table").dataset.asked, button.dataset.answer, button.getAttribute("aria-keyshortcuts")])"""
HURRIED = "localStorage.setItem('grintu.speed', '40')"


@dataclass
class Hall:
    """A server in which thinking is quick and clocks are patient, and the cookies of two people."""

    url: str
    people: list[Account]
    cookies: list[str]
    database: Database


@pytest.fixture
async def hall(
    built: None, settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Hall]:
    monkeypatch.setenv("GRINTU_LIVE_PACE", PACE)
    monkeypatch.setenv("GRINTU_LIVE_DEPARTURES", "false")  # two are seated as soon as they are two
    people = [await new_account(database) for _ in range(2)]
    cookies = [await session_cookie(database, settings, account) for account in people]
    async with database.transaction() as session:
        for name, seconds in (("move_clock", 3600), ("grace_time", 3600), ("waiting_time", 600)):
            await change_setting(session, name, seconds, changed_by="test")
    async with serving(settings) as server:
        yield Hall(server.url, people, cookies, database)


@dataclass
class Robot:
    """Plays in a page as a person would: by keyboard, or by clicking on what the page offers."""

    page: Page
    by_keyboard: bool
    moves: int = 0
    last: str = ""
    seen: set[str] = field(default_factory=set)

    async def decide(self) -> bool:
        """One decision; False when the match is over."""
        # Every question of a table has a number: the next one has another.
        question = f'.your-turn:not([data-asked="{self.last}"])'
        await self.page.wait_for_selector(f"{question} [data-answer], .table.ended", timeout=PATIENCE_MS)
        choices: list[list[str]] = await self.page.locator(f"{question} [data-answer]").evaluate_all(READ_CHOICES)
        if not choices:
            return False
        self.last, answer, key = choices[self.moves % len(choices)]
        self.seen.add("six" if answer in ("again", "keep") else "piece")
        self.moves += 1
        if self.by_keyboard:
            await self.page.keyboard.press(key)
        else:
            await self.page.locator(f'[data-answer="{answer}"]').click()
        return True

    async def play_to_the_end(self, at_most: int = 400) -> None:
        for _ in range(at_most):
            if not await self.decide():
                return
        raise AssertionError(f"no end after {at_most} decisions")


async def enter(visit: Visit, hall: Hall, person: int, width: int = 1280, *, quiet: bool = True) -> Page:
    """A browser of its own that goes through the lobby to the table."""
    page = await visit(f"{hall.url}/", cookie=hall.cookies[person], width=width, quiet=quiet)
    await page.evaluate(HURRIED)
    await page.goto(f"{hall.url}/lobby")
    return page


async def seated(page: Page) -> int:
    await page.wait_for_url("**/matches/*", timeout=PATIENCE_MS)
    await expect(page.locator(".table")).to_be_visible(timeout=PATIENCE_MS)
    return int(page.url.rsplit("/", 1)[1])


async def test_two_people_and_a_program_play_to_the_questionnaires_door(visit: Visit, hall: Hall, axe: str) -> None:
    first, second = await asyncio.gather(enter(visit, hall, 0), enter(visit, hall, 1, width=390))
    await expect(first.locator("#lobby-leave, .table")).to_be_visible()  # it may be seated already
    match_id, other_id = await asyncio.gather(seated(first), seated(second))
    assert match_id == other_id
    for page in (first, second):
        await expect(page.locator("#engine")).to_have_attribute("data-engine", "ready", timeout=ENGINE_MS)

    assert await violations(first, axe) == []

    robots = [Robot(first, by_keyboard=True), Robot(second, by_keyboard=False)]
    await asyncio.gather(*(robot.play_to_the_end() for robot in robots))

    for page in (first, second):
        await expect(page.locator(".end-panel h2")).to_have_text(re.compile("win"))
        await expect(page.get_by_role("link", name="To the questionnaire")).to_have_attribute(
            "href", f"/matches/{match_id}/questionnaire"
        )
        assert (
            await page.locator(".seat-score").all_inner_texts() == await first.locator(".seat-score").all_inner_texts()
        )

    async with hall.database.sessions() as session:
        match = await session.get_one(Match, match_id)
        assert match.ended_at is not None and match.scores is not None
        assert await first.locator(".seat-score").all_inner_texts() == [str(score) for score in match.scores]
        by_source = select(MatchMove.source, func.count()).where(MatchMove.match_id == match_id)
        counts = dict((await session.execute(by_source.group_by(MatchMove.source))).all())
        assert counts[Source.PERSON] == sum(robot.moves for robot in robots)
        assert counts[Source.PROPOSAL] > 0, "the browsers computed the program's moves"
        batches = await session.scalar(
            select(func.count()).select_from(InteractionBatch).where(InteractionBatch.match_id == match_id)
        )
        assert batches, "both agreed to the interaction log"

    book = await first.request.get(f"{hall.url}/matches/{match_id}/book")
    assert replay(read_book(await book.text())).over

    assert await violations(second, axe) == []
    async with hall.database.transaction() as session:
        for seat in (await session.scalars(select(MatchSeat).where(MatchSeat.match_id == match_id))).all():
            if seat.person_id is not None:
                (await open_sheet(session, seat.person_id, match_id)).finished_at = now()
    await first.goto(f"{hall.url}/matches/{match_id}/questionnaire")
    await first.get_by_role("link", name="Check the draws").click()
    await expect(first.locator("#verify")).to_have_attribute("data-verdict", "fair", timeout=ENGINE_MS)
    assert await first.locator("#findings .good").count() == 3, "seed, fingerprint seen before, and dice"

    await second.goto(f"{hall.url}/matches/{match_id}")
    await expect(second.locator(".replay-moves li").first).to_be_visible()
    assert await violations(second, axe) == []
    assert await wider_than_the_window(second) == []
    await second.get_by_role("button", name="To the end").click()
    assert await second.locator(".seat-score").all_inner_texts() == [str(score) for score in match.scores]


async def test_who_lets_the_clock_run_out_is_asked_and_then_replaced(visit: Visit, hall: Hall) -> None:
    async with hall.database.transaction() as session:
        await change_setting(session, "move_clock", 600, changed_by="test")  # a busy machine needs seconds for the page
        await change_setting(session, "waiting_time", 1, changed_by="test")
    page = await enter(visit, hall, 0)
    await seated(page)
    await expect(page.locator(".clocked.you")).to_be_visible(timeout=PATIENCE_MS)
    # The question stays for less than a second, which a busy machine may not see.
    told = page.get_by_text(re.compile("Please move now|A stand-in plays on for you")).first
    await expect(told).to_be_visible(timeout=PATIENCE_MS)
    await expect(page.locator(".end-panel")).to_contain_text("A stand-in plays on for you", timeout=PATIENCE_MS)
    async with hall.database.sessions() as session:
        query = select(MatchEvent.kind).where(MatchEvent.kind.in_(("asked", "replaced"))).order_by(MatchEvent.id)
        assert (await session.scalars(query)).all() == ["asked", "replaced"]
    assert await page.locator(".your-turn, .clocked, .banner:visible, .tray-panel:visible").count() == 0, (
        "one thing is said"
    )
    await page.reload()
    await expect(page.locator(".end-panel")).to_contain_text("A stand-in plays on for you")


async def test_from_other_pages_one_finds_back_to_the_match(visit: Visit, hall: Hall) -> None:
    async with hall.database.transaction() as session:
        await change_setting(session, "waiting_time", 1, changed_by="test")
    page = await enter(visit, hall, 0)
    match_id = await seated(page)
    await expect(page.locator(".clocked.you")).to_be_visible(timeout=PATIENCE_MS)
    await expect(page.locator("#running-match")).to_be_hidden()
    await page.goto(f"{hall.url}/findings")
    line = page.locator("#running-match")
    await expect(line).to_contain_text("It is your move.", timeout=PATIENCE_MS)
    await expect(line.locator("[data-clock]")).to_have_text(re.compile(r"^\d+:\d\d$"))
    await line.get_by_role("link", name="Return to your match").click()
    assert await seated(page) == match_id
    await page.goto("about:blank")  # nobody waits for the match when the server ends
    other = await visit(f"{hall.url}/findings", cookie=hall.cookies[1])
    await expect(other.locator("#running-match")).to_be_hidden()


async def play_with_a_reload_and_a_lost_connection(first: Page, second: Page, hall: Hall, match_id: int) -> None:
    """To the end. What happens to the first page in the middle changes nothing. The browser itself complains about a
    connection that cannot be made, so that page must not be a quiet one."""
    staying = asyncio.create_task(Robot(second, by_keyboard=False).play_to_the_end())
    robot = Robot(first, by_keyboard=True)
    for _ in range(3):
        assert await robot.decide()
    told = await first.locator(".table-log li").all_inner_texts()
    await first.reload()
    robot.last = ""  # a new page counts anew
    await expect(first.locator(".table")).to_be_visible(timeout=PATIENCE_MS)
    assert await robot.decide(), "the reload restored the match"
    restored = await first.locator(".table-log li").all_inner_texts()
    assert restored[: len(told)] == told, "and what was told"

    await first.context.set_offline(True)
    await expect(first.locator('[data-banner="connection"]')).to_be_visible(timeout=PATIENCE_MS)
    await asyncio.sleep(0.5)
    await first.context.set_offline(False)
    await expect(first.locator('[data-banner="connection"]')).to_be_hidden(timeout=PATIENCE_MS)

    await robot.play_to_the_end()
    await staying
    async with hall.database.sessions() as session:
        match = await session.get_one(Match, match_id)
        assert match.scores is not None
        assert await first.locator(".seat-score").all_inner_texts() == [str(score) for score in match.scores]
        seats = await session.scalars(select(MatchSeat).where(MatchSeat.match_id == match_id))
        assert not [seat for seat in seats if seat.replaced_at], "nobody was replaced"
