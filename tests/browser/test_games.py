"""Matches of games that differ, in real browsers: squares without chance, and hidden cards laid at the same time.

Each is chosen in the lobby, played by two people and by a person with a program, judged, and seen again.
"""

from __future__ import annotations

import asyncio
import csv
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, WebSocket, expect
from sqlalchemy import select

from games.book import read_book, replay
from games.registry import game
from server.exports.service import Wanted, export
from server.exports.tables import chosen
from server.judgements.models import JudgementRow
from server.live.models import Match, MatchSeat
from server.ratings.models import RatingSnapshot
from server.ratings.service import refresh
from server.study.settings import change_setting
from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.browser.test_match import HURRIED, PATIENCE_MS, Hall, Robot, hall, seated
from tests.browser.test_questionnaire import choose, saved

pytestmark = pytest.mark.browser
__all__ = ["hall"]

SQUARES = "tic-tac-toe:standard"
CARDS = "tricks:standard"
OFFERED = ["jostle:standard", SQUARES, CARDS]
ASKED = ".your-turn [data-answer]"


async def offer(hall: Hall, *, company: float) -> None:
    async with hall.database.transaction() as session:
        await change_setting(session, "games", OFFERED, changed_by="test")
        await change_setting(session, "company", company, changed_by="test")
        if not company:
            await change_setting(session, "waiting_time", 1, changed_by="test")


async def choose_game(visit: Visit, hall: Hall, person: int, reference: str, **options: Any) -> Page:
    """From the lobby's choice to the wait for a table."""
    page = await visit(f"{hall.url}/", cookie=hall.cookies[person], **options)
    await page.evaluate(HURRIED)
    await page.goto(f"{hall.url}/lobby")
    title = game(reference).texts("en").title
    await page.get_by_role("link", name=f"Play {title}").click()
    await expect(page.locator("#lobby-leave, .table")).to_be_visible(timeout=PATIENCE_MS)
    return page


async def judge(page: Page, hall: Hall, match_id: int, other: int, verdict: str) -> None:
    """Through the questionnaire's door: there is one other seat to judge, and it is called as at the table."""
    name = (await page.locator(f".seat.seat-{other} .seat-name").inner_text()).strip()
    await page.get_by_role("link", name="To the questionnaire").click()
    await expect(page.locator("#replay .replay")).to_be_attached(timeout=PATIENCE_MS)  # folded on a phone
    assert await page.locator(".questionnaire .question[data-item=verdict]").count() == 1
    await expect(page.locator(f"#seat-{other}")).to_have_text(name)
    assert (await page.locator(f"#seat-{other} .token").evaluate("mark => mark.clientWidth")) < 60, "a mark in a line"
    await choose(page, "verdict", verdict, other)
    await choose(page, "challenge", "somewhat", other)
    await choose(page, "enjoyment", "very")
    await saved(page)
    await page.get_by_role("button", name="Done").click()
    await expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    async with hall.database.sessions() as session:
        row = await session.scalar(
            select(JudgementRow).where(JudgementRow.match_id == match_id, JudgementRow.seat == other)
        )
        match = await session.get_one(Match, match_id)
        assert row is not None and (row.game, row.verdict) == (match.game, verdict.replace("_", " "))


async def see_again(page: Page, hall: Hall, match_id: int, axe: str) -> None:
    """The replay shows every decision, the book can be read, and what chance did is checked."""
    await page.goto(f"{hall.url}/matches/{match_id}")
    await expect(page.locator(".replay-moves li").first).to_be_visible(timeout=PATIENCE_MS)
    async with hall.database.sessions() as session:
        match = await session.get_one(Match, match_id)
    book = replay(read_book(await (await page.request.get(f"{hall.url}/matches/{match_id}/book")).text()))
    assert book.over and book.game.reference == match.game
    decisions, position = 0, book.game.start()
    for move in book.moves:
        decisions += position.to_act >= 0
        position = position.play(move)
    assert await page.locator(".replay-moves li").count() == decisions
    await page.get_by_role("button", name="To the end").click()
    await expect(page.locator(".replay-counter")).to_have_text(f"{decisions} / {decisions}")
    assert await violations(page, axe) == []
    assert await wider_than_the_window(page) == []


async def seat_of(page: Page) -> int:
    classes = await page.locator(".seat.you").get_attribute("class") or ""
    return int(re.findall(r"seat-(\d)", classes)[0])


async def test_two_people_put_signs_by_mouse_and_by_keyboard(visit: Visit, hall: Hall, axe: str) -> None:
    await offer(hall, company=1)
    pages = await asyncio.gather(
        choose_game(visit, hall, 0, SQUARES), choose_game(visit, hall, 1, SQUARES, width=390, theme="dark")
    )
    matches = await asyncio.gather(*(seated(page) for page in pages))
    assert matches[0] == matches[1]
    first, second = sorted(pages, key=lambda page: page is not pages[0])
    cross, nought = (first, second) if await seat_of(first) == 0 else (second, first)

    for page, way in ((cross, "b2"), (nought, "a3"), (cross, "c2"), (nought, "c3"), (cross, "a2")):
        await page.wait_for_selector(ASKED, timeout=PATIENCE_MS)
        assert await (second if page is first else first).locator(ASKED).count() == 0, "one seat is asked at a time"
        if page is cross:
            await page.locator(f'[data-cell="{way}"]').click()
        else:
            await walk_to(page, way)
    for page in pages:
        await expect(page.locator(".end-panel h2")).to_have_text("You win." if page is cross else "Cross wins.")
        await expect(page.locator(".square.last")).to_have_attribute("data-cell", "a2")
        assert await violations(page, axe) == []
        assert await wider_than_the_window(page) == []

    await judge(cross, hall, matches[0], 1, "human")
    await see_again(nought, hall, matches[0], axe)
    await cross.goto(f"{hall.url}/matches/{matches[0]}/verify")  # the seed is told to who has answered
    await expect(cross.locator("#verify")).to_have_attribute("data-verdict", "fair", timeout=90_000)
    await expect(cross.locator("#findings")).to_contain_text("Chance had no part in this match.")


async def walk_to(page: Page, cell: str) -> None:
    """With the arrows from wherever the focus is on the board, and Enter."""
    await page.locator('.square[tabindex="0"]').focus()
    for axis, low, high in ((0, "ArrowLeft", "ArrowRight"), (1, "ArrowDown", "ArrowUp")):
        for _ in range(3):
            at = await page.locator(".square:focus").get_attribute("data-cell") or cell
            if at[axis] != cell[axis]:
                await page.keyboard.press(high if cell[axis] > at[axis] else low)
    await expect(page.locator(".square:focus")).to_have_attribute("aria-label", re.compile(f"{cell}, empty"))
    await page.keyboard.press("Enter")


async def test_a_person_meets_programs_and_each_game_is_rated_and_exported_by_itself(
    visit: Visit, hall: Hall, axe: str, tmp_path: Path
) -> None:
    await offer(hall, company=0)
    played = {}
    for reference, verdict in ((SQUARES, "artificial"), (CARDS, "human")):
        page = await choose_game(visit, hall, 0, reference)
        match_id = played[reference] = await seated(page)
        await Robot(page, by_keyboard=False).play_to_the_end()
        await expect(page.locator(".end-panel h2")).to_be_visible()
        async with hall.database.sessions() as session:
            seats = list(await session.scalars(select(MatchSeat).where(MatchSeat.match_id == match_id)))
        assert sorted(seat.person_id is None for seat in seats) == [False, True]
        await judge(page, hall, match_id, 1 - next(seat.seat for seat in seats if seat.person_id), verdict)
        await see_again(page, hall, match_id, axe)
    await rated_by_itself(hall, played)
    await exported(hall, played, tmp_path / "export")


async def rated_by_itself(hall: Hall, played: dict[str, int]) -> None:
    """Each game's ratings know its own judgement, its own strategy and nothing of the others."""
    rated = {}
    with ThreadPoolExecutor(1) as processes:
        for reference in OFFERED:
            snapshot = await refresh(hall.database, processes, reference)
            if snapshot is not None:
                assert snapshot.judgements == 1
                async with hall.database.sessions() as session:
                    query = select(RatingSnapshot.record).where(RatingSnapshot.id == snapshot.id)
                    record = (await session.scalars(query)).one()
                rated[snapshot.game] = [one["strategy"] for one in record["strategies"]]
    assert rated.keys() == played.keys()
    async with hall.database.sessions() as session:
        for reference, match_id in played.items():
            query = select(MatchSeat.strategy).where(MatchSeat.match_id == match_id, MatchSeat.person_id.is_(None))
            met = (await session.scalars(query)).one()
            assert rated[reference] == [met]


async def exported(hall: Hall, played: dict[str, int], folder: Path) -> None:
    """A row per judgement with its game, and books that replay by the rules they name."""
    await export(hall.database, Wanted(chosen(["judgements"]), books=True), folder)
    with (folder / "judgements.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["game"]: int(row["match"]) for row in rows} == played
    books = [replay(read_book(path.read_text(encoding="utf-8"))) for path in sorted((folder / "books").glob("*.book"))]
    assert {book.game.reference for book in books} == played.keys() and all(book.over for book in books)


async def test_two_people_lay_cards_at_the_same_time_and_see_nothing_of_each_other(
    visit: Visit, hall: Hall, axe: str
) -> None:
    await offer(hall, company=1)
    pages = list(
        await asyncio.gather(choose_game(visit, hall, 0, CARDS), choose_game(visit, hall, 1, CARDS, width=390))
    )
    heard = [listen(page) for page in pages]
    matches = await asyncio.gather(*(seated(page) for page in pages))
    assert matches[0] == matches[1]
    if await seat_of(pages[0]) == 1:
        pages.reverse()
        heard.reverse()
    left, right = pages

    for trick in range(4):  # the last one is nobody's choice
        for page in pages:
            await page.wait_for_selector(ASKED, timeout=PATIENCE_MS)
        hands = [await hand(page) for page in pages]
        assert [len(held) for held in hands] == [5 - trick] * 2
        await see_nothing_of(left, hands[1])
        await see_nothing_of(right, hands[0])
        await (left if trick % 2 else right).locator(".hand [data-answer]").first.click()
        sealed, open_ = (left, right) if trick % 2 else (right, left)
        await expect(sealed.locator(".tray-status")).to_have_text(re.compile(r"You have chosen\. \w+ has not yet\."))
        await expect(sealed.locator(".laid .playing-card.back")).to_be_visible()
        if trick == 1:
            await sealed.reload()
            await expect(sealed.locator(".laid .playing-card.back")).to_be_visible(timeout=PATIENCE_MS)
            assert await sealed.locator(ASKED).count() == 0, "it has chosen"
        assert await open_.locator(".laid .playing-card.back").count() == 0, "nothing tells that the other has chosen"
        await see_nothing_of(open_, hands[pages.index(sealed)])
        if trick == 2:
            assert await violations(open_, axe) == []
        await open_.keyboard.press("1")
        await expect(open_.locator(".tricks-won .taken").nth(trick)).to_be_visible(timeout=PATIENCE_MS)

    for page, frames in zip(pages, heard, strict=True):
        await expect(page.locator(".end-panel h2")).to_be_visible(timeout=PATIENCE_MS)
        keep_the_secret(frames, pages.index(page))
    await judge(left, hall, matches[0], 1, "cannot_tell")
    await see_again(right, hall, matches[0], axe)


def listen(page: Page) -> list[dict[str, Any]]:
    """Whatever the server says to this page from now on."""
    frames: list[dict[str, Any]] = []

    def hear(socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: frames.append(json.loads(text)))

    page.on("websocket", hear)
    return frames


async def hand(page: Page) -> set[str]:
    return set(await page.locator(ASKED).evaluate_all("cards => cards.map((card) => card.dataset.answer)"))


async def see_nothing_of(page: Page, cards: set[str]) -> None:
    shown = await page.locator('[aria-label^="card "]').evaluate_all("all => all.map((card) => card.ariaLabel)")
    assert not {f"card {card}" for card in cards} & set(shown)


def keep_the_secret(frames: list[dict[str, Any]], seat: int) -> None:
    """No position, deal, fact or event of the other hand: only what has been laid."""
    other = game(CARDS).seats[1 - seat]
    told = [frame for frame in frames if "position" in frame]
    assert len(told) >= 5
    for frame in told:
        theirs = frame["position"].split(" ")[0].split("/")[1 - seat]
        assert set(theirs.split(",")) <= {"?", "-"}, theirs
        assert not [fact for fact in frame["shown"]["facts"] if fact.startswith(f"holds({other},")]
        assert not [event for event in frame.get("events", []) if event[0] == "deal" and event[3] == other]
        deals = [move for move in frame["moves"] if move.startswith("deal")]
        assert all(move.removeprefix("deal ").split("/")[1 - seat] == "?" for move in deals)
