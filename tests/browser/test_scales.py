"""A scale in a questionnaire is one row of equal steps at every width: no answer is larger than another."""

from __future__ import annotations

import pytest
from playwright.async_api import Locator, Page

from tests.browser.conftest import HEIGHTS, Visit

pytestmark = pytest.mark.browser

SLACK = 1.0
"""Browsers round to parts of a pixel."""


async def opened(read: Visit, path: str, role: str, link: str) -> Page:
    """The first page that a link of this page leads to."""
    page = await read(path, role)
    await page.locator(link).first.click()
    await page.locator(".answer-steps").first.wait_for()
    return page


async def boxes(steps: Locator) -> list[dict[str, float]]:
    found: list[dict[str, float]] = await steps.locator(".chip").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    return [box for box in found if box["width"] > 0]  # a question that is not asked yet has no place


@pytest.mark.parametrize(
    ("path", "role", "link"),
    [
        ("/questionnaires", "proband", "main li a"),
        ("/research/questionnaires", "researcher", "main a[href='/research/questionnaires/1']"),
    ],
)
async def test_the_steps_of_a_scale_are_equal_at_every_width(read: Visit, path: str, role: str, link: str) -> None:
    page = await opened(read, path, role, link)
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
