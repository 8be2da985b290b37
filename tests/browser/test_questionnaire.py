"""From a match to judgements in real browsers: one reloads the page and loses the connection in the match, and answers
at once; one leaves the questionnaire half-way and comes back. Then a researcher publishes another version, and the next
match uses it while the old answers stay."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Page, expect
from sqlalchemy import select

from server.accounts.models import Person
from server.base.settings import Settings
from server.judgements.models import JudgementRow
from server.questionnaires.models import Answer, QuestionnaireVersion, Sheet
from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.browser.people import logged_in
from tests.browser.test_match import (
    PATIENCE_MS,
    Hall,
    enter,
    hall,
    play_with_a_reload_and_a_lost_connection,
    seated,
)
from tests.server.questionnaires.conftest import played_match

pytestmark = pytest.mark.browser
__all__ = ["hall"]


async def choose(page: Page, item: str, option: str, seat: int | None = None) -> None:
    name = item if seat is None else f"{item}.{seat}"
    await page.locator(f'.chip:has([name="{name}"][value="{option}"])').click()


async def saved(page: Page) -> None:
    await expect(page.locator(".saving")).to_have_text("Saved.", timeout=PATIENCE_MS)


async def met(page: Page) -> list[int]:
    cards = await page.locator(".questionnaire .question[data-item=verdict]").all()
    return [int(await card.get_attribute("data-seat") or -1) for card in cards]


async def test_a_match_that_was_interrupted_is_judged_and_one_comes_back_to_answer(
    visit: Visit, hall: Hall, settings: Settings, axe: str
) -> None:
    # A lost connection and refused answers are part of this test, and browsers write them to the console.
    first, second = await asyncio.gather(enter(visit, hall, 0, quiet=False), enter(visit, hall, 1, width=390))
    match_id = (await asyncio.gather(seated(first), seated(second)))[0]
    await play_with_a_reload_and_a_lost_connection(first, second, hall, match_id)

    await first.get_by_role("link", name="To the questionnaire").click()
    assert await violations(first, axe) == []
    await expect(first.locator("#replay .replay")).to_be_visible(timeout=PATIENCE_MS)
    one, other = await met(first)
    await expect(first.locator(f'[data-item=sureness][data-seat="{one}"]')).to_be_hidden()
    await choose(first, "verdict", "artificial", one)
    await expect(first.locator(f'[data-item=sureness][data-seat="{one}"]')).to_be_visible()
    slider = first.locator(f"#q-sureness-{one}")
    await slider.focus()
    await slider.press("ArrowRight")
    await mark_a_move(first, one)
    await choose(first, "challenge", "somewhat", one)
    await first.get_by_role("button", name="Done").click()
    await expect(first.get_by_text("Please choose an answer.").first).to_be_visible()
    await choose(first, "verdict", "cannot_tell", other)
    await choose(first, "challenge", "unsure", other)
    await choose(first, "enjoyment", "very")
    await first.get_by_role("button", name="Done").click()
    await expect(first.get_by_role("heading", name="Thank you!")).to_be_visible()

    await second.get_by_role("link", name="To the questionnaire").click()
    assert not await wider_than_the_window(second)
    seat = (await met(second))[0]
    await choose(second, "verdict", "human", seat)
    await second.locator(f"#q-aim-{seat}").fill("going home first")
    await saved(second)
    await second.goto(f"{hall.url}/")  # leaves half-way
    await second.goto(f"{hall.url}/questionnaires")
    await second.locator("main li a").click()
    await expect(second.locator(f'[name="verdict.{seat}"][value=human]')).to_be_checked()
    await expect(second.locator(f"#q-aim-{seat}")).to_have_value("going home first")

    async with hall.database.sessions() as session:
        rows = (await session.scalars(select(JudgementRow).order_by(JudgementRow.seat))).all()
        by_seat = {row.seat: row for row in rows}
        assert set(by_seat) == {one, other}, "only who has finished has judged"
        assert (by_seat[one].verdict, by_seat[one].sureness) == ("artificial", 55)
        assert by_seat[one].marked_ply is not None
        assert (by_seat[other].verdict, by_seat[other].sureness) == ("cannot tell", None)
        timed = await session.scalars(select(Answer.shown_ms).where(Answer.item == "verdict"))
        assert all(shown is not None for shown in timed), "how long a question was in view is known"
    assert match_id

    await publish_another_version(visit, hall, settings)
    async with hall.database.transaction() as session:
        person = await session.get_one(Person, hall.people[0].person_id)
        partner = await session.get_one(Person, hall.people[1].person_id)
        following = await played_match(session, person, partner)
    await first.goto(f"{hall.url}/matches/{following.id}/questionnaire")
    await expect(first.get_by_role("heading", name="Who on earth was that?")).to_be_visible()
    await second.reload()
    await expect(second.get_by_role("heading", name="Who did you play with?")).to_be_visible()
    async with hall.database.sessions() as session:
        numbers = select(QuestionnaireVersion.number).join(Sheet, Sheet.version_id == QuestionnaireVersion.id)
        assert sorted(await session.scalars(numbers)) == [1, 1, 2]


async def mark_a_move(page: Page, seat: int) -> None:
    """Step through the replay to a move of that seat and mark it."""
    button = page.locator(".mark-move")
    forward = page.get_by_role("slider", name="Move")
    field = page.locator(f"#q-telling_move-{seat}")
    await forward.focus()
    for _ in range(12):
        await forward.press("ArrowRight")
        if await button.is_visible():
            await button.click()
            if await field.input_value():
                return
            other = page.locator(".marked-move button.quiet:visible")
            if await other.count():
                await other.first.click()
            await forward.focus()
    raise AssertionError(f"no move of seat {seat} was found")


async def publish_another_version(visit: Visit, hall: Hall, settings: Settings) -> None:
    page = await visit(
        f"{hall.url}/research/questionnaires", cookie=await logged_in(settings, "researcher"), quiet=False
    )
    row = page.locator("tr", has_text="After a match")
    await row.get_by_role("button", name="Copy into a draft").click()
    await page.get_by_label("Title (en)").fill("Who on earth was that?")
    await page.get_by_label("Title (de)").fill("")
    await expect(page.locator("#editor[data-state=saved]")).to_have_attribute("data-mistakes", "1")
    await page.get_by_label("Title (de)").fill("Wer war denn das?")
    await expect(page.locator("#editor[data-state=saved]")).to_have_attribute("data-mistakes", "0")
    await page.get_by_role("link", name="Publish").click()
    await expect(page.get_by_role("row", name="title en")).to_contain_text("Who on earth was that?")
    await page.get_by_role("button", name="Publish and retire version 1").click()
    await expect(page.locator("tr", has_text="Version 2").get_by_text("published")).to_be_visible()


async def test_the_editor_loses_nothing_shows_mistakes_where_they_are_and_what_probands_see(
    visit: Visit, hall: Hall, settings: Settings
) -> None:
    page = await visit(
        f"{hall.url}/research/questionnaires", cookie=await logged_in(settings, "researcher"), quiet=False
    )
    await page.locator("tr", has_text="Profile").get_by_role("button", name="Copy into a draft").click()
    editor, cards = page.locator("#editor"), page.locator(".item-card")
    await expect(editor).to_have_attribute("data-state", "saved")
    keys = await cards.evaluate_all("cards => cards.map(card => card.dataset.key)")

    # Folded questions unfold; a mistake stands at its field, is counted on the question, and is gone when it is mended.
    first = cards.first
    await expect(first.locator(".item-body")).to_be_hidden()
    await first.locator(".item-title").click()
    text = first.get_by_label("Text (de)", exact=True).first
    before = await text.input_value()
    await text.fill("")
    await expect(first.locator("[data-at='items.0.text.de'] .mistake")).to_contain_text("a text is missing")
    await expect(text).to_have_attribute("aria-invalid", "true")
    await expect(first.locator(".item-title .badge")).to_contain_text("1 mistake")
    await first.locator(".item-title").click()
    await page.get_by_role("button", name="Question 1, text de").click()
    await expect(text).to_be_focused()

    # A reload loses nothing, neither what was saved with its mistakes nor what the server has not got yet.
    await page.reload()
    await expect(editor).to_have_attribute("data-mistakes", "1")
    await expect(text).to_be_visible()
    await page.route("**/research/questionnaires/*", lambda route: route.abort())
    await text.fill("Ganz neu gefragt?")
    await expect(editor).to_have_attribute("data-state", "offline")
    await page.unroute("**/research/questionnaires/*")
    await page.reload()
    await expect(page.locator("#editor[data-state=saved]")).to_have_attribute("data-mistakes", "0")
    await expect(text).to_have_value("Ganz neu gefragt?")

    # What probands see, in either language.
    preview = page.get_by_role("region", name="Preview")
    await preview.get_by_role("button", name="Deutsch").click()
    await expect(preview.get_by_text("Ganz neu gefragt?")).to_be_visible()
    await text.fill(before)
    await expect(preview.get_by_text("Ganz neu gefragt?")).to_have_count(0)

    # Questions move by keys and by dragging.
    async def order() -> list[str]:
        return list(await cards.evaluate_all("cards => cards.map(card => card.dataset.key)"))

    await first.locator(".handle").focus()
    await page.keyboard.press("ArrowDown")
    assert await order() == [keys[1], keys[0], *keys[2:]]
    await expect(cards.nth(1).locator(".handle")).to_be_focused()
    await page.get_by_role("button", name="Fold all", exact=True).click()
    await cards.nth(1).locator(".handle").drag_to(first, target_position={"x": 40, "y": 2})
    assert await order() == keys
    await expect(page.locator("#editor[data-state=saved]")).to_have_attribute("data-mistakes", "0")
