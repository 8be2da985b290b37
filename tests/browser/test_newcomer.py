"""A newcomer's way in and out: register, confirm, log in, agree, delete; a mistake is told beside its field."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from server.base.settings import Settings
from tests.browser.conftest import Visit
from tests.server.accounts.mailbox import arrived, links
from tests.servers import LiveServer

pytestmark = pytest.mark.browser

ADDRESS = "newcomer@example.org"
PASSWORD = "correct horse battery"


async def test_register_confirm_log_in_agree_and_leave(
    visit: Visit, built: None, live_server: LiveServer, settings: Settings
) -> None:
    page = await visit(f"{live_server.url}/", width=390, quiet=False)
    await page.get_by_role("link", name="Take part").click()

    await page.get_by_label("Email address").fill(ADDRESS)
    await page.get_by_label("Password").fill("short")
    await page.evaluate("document.querySelector('form.card').noValidate = true")  # let the server find the mistake
    await page.get_by_role("button", name="Create account").click()
    password = page.get_by_label("Password")
    await expect(password).to_have_attribute("aria-invalid", "true")
    described = (await password.get_attribute("aria-describedby") or "").split()
    assert await page.locator(f"#{described[-1]}").inner_text()
    await expect(page.get_by_label("Email address")).to_have_value(ADDRESS)

    await password.fill(PASSWORD)
    await page.get_by_role("button", name="Create account").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Check your email")

    await page.goto(live_server.url + links((await arrived(settings))[-1])[0])
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_role("heading", level=1)).not_to_have_text("Confirm your email address")

    await page.goto(f"{live_server.url}/lobby")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Before you play")
    await page.get_by_label("I agree (needed to play)").check()
    await page.get_by_role("main").get_by_role("button").last.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for a table")

    await page.goto(f"{live_server.url}/account/delete")
    await page.get_by_label("Current password").fill(PASSWORD)
    await page.get_by_role("button", name="Delete for good").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Your account is deleted")
    await page.get_by_role("button", name="Menu").click()
    await expect(page.get_by_role("link", name="Log in")).to_be_visible()
