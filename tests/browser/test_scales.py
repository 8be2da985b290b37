"""A scale in a questionnaire is one row of equal steps at every width: no answer is larger than another."""

from __future__ import annotations

import pytest
from playwright.async_api import Locator, Page

from tests.browser.conftest import HEIGHTS, Visit

pytestmark = pytest.mark.browser

SLACK = 1.0
"""Browsers round to parts of a pixel."""


async def opened(read: Visit, path: str, role: str, links: str) -> Page:
    """The first page that asks for a verdict, of those that links of this page lead to."""
    page = await read(path, role)
    addresses = await page.locator(links).evaluate_all("all => all.map((link) => link.href)")
    for address in addresses:
        await page.goto(address)
        if await page.locator(".question[data-item=verdict] .answer-steps").count():
            return page
    raise AssertionError(f"no questionnaire behind {addresses}")


async def boxes(steps: Locator) -> list[dict[str, float]]:
    found: list[dict[str, float]] = await steps.locator(".chip").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    return [box for box in found if box["width"] > 0]  # a question that is not asked yet has no place


@pytest.mark.parametrize(
    ("path", "role", "links"),
    [
        ("/questionnaires", "proband", "main li a"),
        ("/research/questionnaires", "researcher", "main a[href^='/research/questionnaires/']"),
    ],
)
async def test_the_steps_of_a_scale_are_equal_at_every_width(read: Visit, path: str, role: str, links: str) -> None:
    page = await opened(read, path, role, links)
    for width in (360, 390, 1280):
        await page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        measured = [found for steps in await page.locator(".answer-steps").all() if (found := await boxes(steps))]
        assert [len(row) for row in measured][:2] == [3, 4], "the verdict and the challenge at least"
        for row in measured:
            for side in ("width", "height", "y"):
                values = [box[side] for box in row]
                assert max(values) - min(values) <= SLACK, (width, side, values)
            assert [box["x"] for box in row] == sorted(box["x"] for box in row)
            assert row[-1]["x"] + row[-1]["width"] <= width, "nothing is outside of the window"


async def test_answers_that_are_too_long_for_a_row_are_equal_lines(read: Visit) -> None:
    page = await read("/account/profile", "proband")
    lines = page.locator(".question[data-item=experience] .answer-lines")
    for width in (360, 1280):
        await page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        found = await boxes(lines)
        assert len(found) == 4
        for side in ("width", "x"):
            values = [box[side] for box in found]
            assert max(values) - min(values) <= SLACK, (width, side, values)
        assert [box["y"] for box in found] == sorted(box["y"] for box in found)
