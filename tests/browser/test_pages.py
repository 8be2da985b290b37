"""The frame of every page: navigation by role, language, colours, skip link, error page; also without scripts."""

from __future__ import annotations

import httpx
import pytest
from playwright.async_api import Browser, expect

from tests.browser.conftest import Visit
from tests.servers import PLAIN, LiveServer

pytestmark = pytest.mark.browser


async def test_a_visitor_can_try_a_game_or_take_part(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/")
    await expect(page.get_by_role("link", name="Try a practice game")).to_have_attribute("href", "/practice")
    await expect(page.get_by_role("link", name="Take part")).to_have_attribute("href", "/register?next=/lobby")


@pytest.mark.parametrize("role", ["visitor", "proband", "researcher", "admin"])
async def test_every_link_on_the_first_page_leads_to_a_page(
    visit: Visit, site: LiveServer, people: dict[str, str], role: str
) -> None:
    page = await visit(f"{site.url}/", cookie=people.get(role))
    links = await page.locator("a[href^='/']").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    answers = {
        link: (await page.request.get(site.url + link, headers={"accept": "text/html"})).status for link in links
    }
    assert {link: status for link, status in answers.items() if status != 200} == {}


async def test_the_language_is_the_browsers_until_another_is_chosen(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/status?from=here", language="de-AT")
    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await expect(page.get_by_role("link", name="Zum Inhalt springen")).to_have_count(1)
    await page.get_by_role("button", name="English").click()
    await expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.url == f"{site.url}/status?from=here"
    await page.goto(f"{site.url}/")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Who at this table is human?")


async def test_scripts_speak_the_pages_language(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/status", language="de")
    await expect(page.locator("#self-check [data-show='state']")).to_contain_text("Der Spielkern wird")


async def test_chosen_colours_come_with_the_page_itself(visit: Visit, site: LiveServer) -> None:
    """So nothing flashes: the server writes them into the page."""
    page = await visit(f"{site.url}/", theme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = await page.evaluate(paper)
    await page.get_by_text("Dark", exact=True).click()
    dark = await page.evaluate(paper)
    assert dark != light
    answer = await page.request.get(f"{site.url}/")
    assert 'data-theme="dark"' in await answer.text()
    await page.reload()
    assert await page.evaluate(paper) == dark
    await page.get_by_text("Automatic", exact=True).click()
    assert await page.evaluate(paper) == light
    assert "data-theme" not in await (await page.request.get(f"{site.url}/")).text()


async def test_the_first_tab_stop_skips_to_the_content(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/")
    await page.keyboard.press("Tab")
    await expect(page.locator(":focus")).to_have_text("Skip to the content")
    await expect(page.locator(":focus")).to_be_in_viewport()
    await page.keyboard.press("Enter")
    await expect(page.locator("main:focus")).to_have_count(1)


async def test_on_a_phone_the_navigation_unfolds(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/", width=390)
    log_in = page.get_by_role("link", name="Log in")
    await expect(log_in).to_be_hidden()
    menu = page.get_by_role("button", name="Menu")
    await expect(menu).to_have_attribute("aria-expanded", "false")
    await menu.click()
    await expect(log_in).to_be_visible()
    await menu.press("Enter")
    await expect(log_in).to_be_hidden()


async def test_without_scripts_everything_can_be_reached(chromium: Browser, site: LiveServer) -> None:
    context = await chromium.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800}, locale="en")
    page = await context.new_page()
    await page.goto(f"{site.url}/")
    await expect(page.get_by_role("link", name="Log in")).to_be_visible()
    await page.get_by_role("button", name="Deutsch").click()
    await expect(page.get_by_role("link", name="Anmelden")).to_be_visible()
    await context.close()


async def test_a_wrong_address_gives_a_page_with_a_way_on(visit: Visit, site: LiveServer) -> None:
    page = await visit(f"{site.url}/no-such-field", quiet=False)
    await expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing on this field.")
    await page.get_by_role("link", name="Back to start").click()
    assert page.url == f"{site.url}/"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("python/pyodide.asm.wasm", "application/wasm"),
        ("worker/main.js", "text/javascript"),
        ("styles/main.css", "text/css"),
    ],
)
async def test_files_are_immutable_compressed_and_of_the_right_kind(site: LiveServer, name: str, kind: str) -> None:
    async with httpx.AsyncClient(base_url=f"{site.url}/assets/", timeout=60, **PLAIN) as client:
        manifest = (await client.get("manifest.json")).json()
        answer = await client.get(manifest[name], headers={"accept-encoding": "br"})
    assert answer.headers["content-type"].startswith(kind)
    assert answer.headers["content-encoding"] == "br"
    assert "immutable" in answer.headers["cache-control"]
    assert len(answer.content) > int(answer.headers["content-length"])
