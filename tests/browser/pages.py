"""Which pages there are: every address without parameters that answers with HTML, found from the routes themselves."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from server.accounts.sessions import COOKIE
from server.domains import domain_modules
from tests.browser.people import ROLES

VISITOR = "visitor"
NO_PAGES = ("/api/", "/health", "/metrics")


def page_paths() -> list[str]:
    routes = (route for domain in domain_modules("routes") for route in _flat(domain.router.routes))
    found = {route.path for route in routes if "GET" in (route.methods or ()) and "{" not in route.path}
    return sorted(path for path in found if not path.startswith(NO_PAGES))


def _flat(routes: list[BaseRoute]) -> Iterator[APIRoute]:
    """The routes, those of included routers among them."""
    for route in routes:
        included = getattr(route, "original_router", None)
        if included is not None:
            yield from _flat(included.routes)
        elif isinstance(route, APIRoute):
            yield route


def least_role(base: str, path: str, cookies: dict[str, str]) -> str | None:
    """The first of the roles that gets a page at this very address: not a refusal, another page, a download or data."""
    for role in (VISITOR, *ROLES):
        sent = {COOKIE: cookies[role]} if role in cookies else {}
        answer = httpx.get(base + path, headers={"accept": "text/html"}, cookies=sent)
        if answer.status_code == 200 and answer.headers.get("content-type", "").startswith("text/html"):
            return role
    return None
