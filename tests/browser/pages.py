"""Which pages there are: every address without parameters that answers with HTML, found from the app itself."""

from __future__ import annotations

from fastapi.routing import APIRoute
from playwright.async_api import Page
from starlette.routing import BaseRoute

from server.app import create_app
from server.settings import Settings

NO_PAGES = ("/api/", "/health", "/metrics", "/openapi.json", "/assets")


def page_paths() -> list[str]:
    app = create_app(Settings(_env_file=None, demo=True))
    return sorted({path for route in app.routes if (path := _path(route)) is not None})


def _path(route: BaseRoute) -> str | None:
    if not isinstance(route, APIRoute) or "GET" not in (route.methods or ()) or "{" in route.path:
        return None
    return None if route.path.startswith(NO_PAGES) else route.path


async def answers_with_a_page(page: Page, url: str) -> bool:
    """Whether this person gets a page there, not a refusal, a download or data."""
    answer = await page.request.get(url, headers={"accept": "text/html"})
    return answer.ok and answer.headers.get("content-type", "").startswith("text/html")
