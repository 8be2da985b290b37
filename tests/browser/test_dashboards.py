"""The researchers' dashboards in a browser: plots are drawn, turned by keys, read as tables, taken away as files."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Iterator

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import pytest
from playwright.async_api import Page, expect
from pydantic import SecretStr
from sqlalchemy.engine import make_url

from server.base.settings import Settings
from server.storage.database import connect
from tests.browser.accessibility import violations, wider_than_the_window
from tests.browser.conftest import Visit
from tests.browser.people import logged_in
from tests.databases import copy_database
from tests.server.dashboards.study import fill
from tests.servers import LiveServer, running_server

pytestmark = pytest.mark.browser
PAGES = (
    "/research",
    "/research/strategies",
    "/research/strategies/Observing%20PALS",
    "/research/persons",
    "/research/persons/simulated-example-000004",
)


@pytest.fixture(scope="module")
def study_settings(postgres_url: str, template: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    name = "browser_study"
    url = make_url(postgres_url).set(database=name).render_as_string(hide_password=False)

    async def create() -> None:
        connection = await asyncpg.connect(postgres_url)
        await copy_database(connection, name, template)
        await connection.close()
        async with connect(url, size=2, raw_size=2) as database:
            await fill(database, persons=20, judgements=8, most=500)

    asyncio.run(create())
    return Settings(
        _env_file=None,
        secret_key=SecretStr("a secret for browser tests that is long enough"),
        database_url=SecretStr(url),
        data_dir=tmp_path_factory.mktemp("study"),
    )


@pytest.fixture(scope="module")
def study(built: None, study_settings: Settings) -> Iterator[LiveServer]:
    with running_server(study_settings) as server:
        yield server


@pytest.fixture(scope="module")
async def researcher(study: LiveServer, study_settings: Settings) -> str:
    return await logged_in(study_settings, "researcher")


@pytest.mark.parametrize("path", PAGES)
async def test_a_filled_page_is_drawn_and_accessible(
    visit: Visit, study: LiveServer, researcher: str, axe: str, path: str
) -> None:
    page = await visit(study.url + path, cookie=researcher)
    await expect(page.locator(".figure svg").first).to_be_visible()
    assert await violations(page, axe) == []
    await page.emulate_media(color_scheme="dark")
    await page.set_viewport_size({"width": 360, "height": 740})
    assert await violations(page, axe) == []
    assert await wider_than_the_window(page) == []
    await page.reload()
    for present in await page.locator(".subnav [aria-current]").all():
        await expect(present).to_be_in_viewport()


async def test_a_plot_can_be_read_as_a_table_and_taken_away(visit: Visit, study: LiveServer, researcher: str) -> None:
    page = await visit(f"{study.url}/research", cookie=researcher)
    figure = page.locator("#matches .figure")
    await figure.get_by_role("button", name="Table").press("Enter")
    await expect(figure.get_by_role("table")).to_be_visible()
    await expect(figure.locator(".canvas")).to_be_hidden()
    total = await page.locator("[data-total='matches']").inner_text()
    cells = await figure.locator("tbody td").all_inner_texts()
    assert sum(map(int, cells)) == int(total)
    async with page.expect_download() as csv:
        await figure.get_by_role("button", name="CSV").click()
    lines = (await (await csv.value).path()).read_text().splitlines()
    assert len(lines) == len(cells) + 1
    await figure.get_by_role("button", name="Table").click()
    async with page.expect_download() as svg:
        await figure.get_by_role("button", name="SVG").click()
    picture = (await (await svg.value).path()).read_text()
    assert "var(--" not in picture
    assert f"{total} matches" in picture


async def test_a_plot_is_read_by_keys(visit: Visit, study: LiveServer, researcher: str) -> None:
    page = await visit(f"{study.url}/research", cookie=researcher)
    figure = page.locator("#matches .figure")
    await figure.locator(".canvas svg").wait_for()
    rows = await page.evaluate(
        "JSON.parse(document.querySelector('#page-data').textContent).periods.map((one) => one.matches)"
    )
    await figure.locator(".canvas").focus()
    for number in (rows[0], rows[1]):
        await page.keyboard.press("ArrowRight")
        await expect(figure.get_by_role("status")).to_contain_text(f"matches: {number}")
        await expect(figure.locator(".ring")).to_have_count(1)
    await page.keyboard.press("End")
    await expect(figure.get_by_role("status")).to_contain_text(f"matches: {rows[-1]}")
    await page.keyboard.press("Escape")
    await expect(figure.locator(".ring")).to_have_count(0)


async def test_persons_are_compared_by_their_profiles(visit: Visit, study: LiveServer, researcher: str) -> None:
    page = await visit(f"{study.url}/research/persons", cookie=researcher)
    await page.get_by_label("By what they say of themselves").select_option("gender")
    figure = page.locator("#attributes .figure")
    await expect(figure.locator("figcaption")).to_contain_text("Gender")
    await figure.get_by_role("button", name="Table").click()
    await expect(figure.get_by_role("row")).to_have_count(4)


async def test_the_overview_follows_the_study(
    visit: Visit, study: LiveServer, study_settings: Settings, researcher: str
) -> None:
    page = await visit(f"{study.url}/research", cookie=researcher)
    probands = page.locator("[data-total='probands']")
    before = int(await probands.inner_text())
    await logged_in(study_settings, "proband")
    await page.get_by_label("Live").uncheck()
    await page.get_by_label("Live").check()  # asks at once
    await expect(probands).to_have_text(str(before + 1))
    await expect(page.locator("#updated")).to_contain_text("Updated at")


async def test_the_space_is_turned_and_walked_through_by_keys(visit: Visit, study: LiveServer, researcher: str) -> None:
    page = await visit(f"{study.url}/research/strategies", cookie=researcher)
    space = page.locator(".space")
    await space.focus()
    before = await _places(page)
    await page.keyboard.press("ArrowLeft")
    after = await _places(page)
    assert before != after
    await page.keyboard.press("ArrowRight")
    assert await _places(page) == before
    await page.keyboard.press(".")
    told = page.locator("#chosen")
    await expect(told).to_contain_text("detection")
    name = (await told.inner_text()).split(",")[0]
    await expect(space.locator(".reach")).to_have_count(3)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text(name)


async def test_the_space_is_turned_by_dragging(visit: Visit, study: LiveServer, researcher: str) -> None:
    page = await visit(f"{study.url}/research/strategies", cookie=researcher)
    await page.locator(".space").scroll_into_view_if_needed()
    box = await page.locator(".space").bounding_box()
    assert box is not None
    before = await _places(page)
    await page.mouse.move(box["x"] + 200, box["y"] + 100)
    await page.mouse.down()
    await page.mouse.move(box["x"] + 320, box["y"] + 140, steps=4)
    await page.mouse.up()
    assert await _places(page) != before


async def test_a_table_of_statistics_is_sorted_by_its_heads(visit: Visit, study: LiveServer, researcher: str) -> None:
    page = await visit(f"{study.url}/research/strategies", cookie=researcher)
    await page.get_by_label("Show").select_option("all")
    await page.locator("#statistics").get_by_role("button", name="Judgements").press("Enter")
    column = page.locator("#statistics tbody tr td:nth-child(6)")
    numbers = [int(text) for text in await column.all_inner_texts()]
    assert numbers == sorted(numbers, reverse=True)
    async with page.expect_download() as download:
        await page.locator("#statistics-csv").click()
    rows = list(csv.reader((await (await download.value).path()).read_text().splitlines()))
    assert rows[0][:4] == ["Strategy", "Judged human", "Judged human, low", "Judged human, high"]
    assert {len(row) for row in rows} == {len(rows[0])}


async def _places(page: Page) -> list[str | None]:
    found: list[str | None] = await page.locator(".space .point").evaluate_all(
        "all => all.map((point) => `${point.getAttribute('cx')} ${point.getAttribute('cy')}`)"
    )
    return found


async def test_a_wide_table_says_so_keeps_its_first_column_sorts_and_filters(
    visit: Visit, study: LiveServer, researcher: str
) -> None:
    page = await visit(f"{study.url}/research/strategies", cookie=researcher)
    await page.context.add_cookies([{"name": "language", "value": "de", "url": study.url}])
    await page.set_viewport_size({"width": 800, "height": 740})
    await page.reload()
    frame = page.locator(".table-frame", has=page.locator("#statistics"))
    await expect(frame.locator("xpath=following-sibling::p[1]")).to_contain_text("breiter als die Seite")
    first = frame.locator("tbody th").first
    before = await first.evaluate("cell => cell.getBoundingClientRect().left")
    await frame.evaluate("frame => { frame.scrollLeft = 400; }")
    assert await frame.evaluate("frame => frame.scrollLeft") > 0
    assert await first.evaluate("cell => cell.getBoundingClientRect().left") == pytest.approx(before, abs=2)

    rows = frame.locator("tbody tr")
    values = "rows => rows.map(row => row.cells[2].dataset.value).filter(value => value).map(Number)"
    head = frame.locator("thead th").nth(2)
    await head.locator("button").click()
    await expect(head).to_have_attribute("aria-sort", "descending")
    found = await rows.evaluate_all(values)
    assert found == sorted(found, reverse=True)
    await head.locator("button").click()
    found = await rows.evaluate_all(values)
    assert found == sorted(found)
    written = await frame.locator("tbody td.number").all_inner_texts()
    assert any("0," in text for text in written), "numbers as German writes them"
    assert not any("0." in text for text in written)

    name = await first.inner_text()
    await page.get_by_role("searchbox", name="Zeilen filtern").first.fill(name.upper())
    shown = [await row.inner_text() for row in await rows.all() if await row.is_visible()]
    assert shown
    assert all(name.lower() in text.lower() for text in shown)


@pytest.mark.parametrize("width", [360, 1400])
async def test_the_space_stays_in_its_frame_however_it_is_turned(
    visit: Visit, study: LiveServer, researcher: str, width: int
) -> None:
    page = await visit(f"{study.url}/research/strategies", cookie=researcher)
    await page.set_viewport_size({"width": width, "height": 800})
    space = page.locator("svg.space")
    await space.focus()
    outside = """svg => {
        const frame = svg.getBoundingClientRect();
        return [...svg.querySelectorAll("line, polygon, text")].filter((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return left < frame.left - 4 || right > frame.right + 4 || top < frame.top - 4 || bottom > frame.bottom + 4;
        }).map((one) => one.textContent || one.getAttribute("class"));
    }"""
    for key in ("ArrowLeft",) * 8 + ("ArrowUp",) * 8 + ("ArrowRight",) * 5:
        await page.keyboard.press(key)
        assert await space.evaluate(outside) == []


async def test_a_strategy_is_told_once(visit: Visit, study: LiveServer, researcher: str) -> None:
    page = await visit(f"{study.url}/research/strategies/Observing%20PALS", cookie=researcher)
    text = await page.locator("main").inner_text()
    assert text.count("moves the least advanced movable piece") == 1
    await expect(page.get_by_role("table").first.get_by_role("row", name="Detection")).to_be_visible()
    await expect(page.locator("#course h2")).to_contain_text("at first and in")
