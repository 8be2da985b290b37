"""What every page owes to people who do not see it as we do: axe-core's rules, and nothing cut off on a phone."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page

RUN = "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"
GRAVE = frozenset({"serious", "critical"})


async def violations(page: Page, axe: str) -> list[str]:
    """The serious violations on the page as it is now, each with the elements concerned."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(axe)  # the page's policy forbids a foreign script element, but not the developer tools
    found: list[dict[str, Any]] = await page.evaluate(RUN)
    return [
        f"{each['id']} ({each['impact']}): {each['help']}: "
        + "; ".join(f"{node['html'][:160]} {node['failureSummary']}" for node in each["nodes"])
        for each in found
        if each["impact"] in GRAVE
    ]


async def wider_than_the_window(page: Page) -> list[str]:
    """The elements that make the page scroll sideways; empty is good."""
    found: list[str] = await page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] :
            [...document.querySelectorAll("body *")]
                .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
                .map((element) => element.outerHTML.slice(0, 120))"""
    )
    return found
