"""Which pages there are: every address without parameters that answers with HTML, found from the routes themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import httpx
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from server.accounts.sessions import COOKIE
from server.base.domains import domain_modules
from tests.browser.people import ROLES

VISITOR = "visitor"
LINK = re.compile(r'href="(/[^"#]*)')
NO_PAGES = ("/api/", "/assets/", "/health", "/metrics")


def page_paths() -> list[str]:
    return sorted(path for route in _routes() if "{" not in (path := route.path) and not path.startswith(NO_PAGES))


@cache
def _routes() -> tuple[APIRoute, ...]:
    """All that answer to GET; fixed addresses before those with places for values."""
    found = [route for domain in domain_modules("routes") for route in _flat(domain.router.routes)]
    return tuple(
        sorted((route for route in found if "GET" in (route.methods or ())), key=lambda route: "{" in route.path)
    )


def _flat(routes: list[BaseRoute]) -> Iterator[APIRoute]:
    """The routes, those of included routers among them."""
    for route in routes:
        included = getattr(route, "original_router", None)
        if included is not None:
            yield from _flat(included.routes)
        elif isinstance(route, APIRoute):
            yield route


def kind_of(path: str) -> str:
    """The same text for all pages of one route, such as "/admin/settings/{name}"."""
    bare = path.partition("?")[0].partition("#")[0]
    return next((route.path for route in _routes() if route.path_regex.match(bare)), bare)


def linked_pages(base: str, cookies: dict[str, str]) -> dict[str, str]:
    """One page of every further kind that links lead to, such as one questionnaire, with a role that may see it."""
    starts = page_paths()
    done = {kind_of(path) for path in starts}
    found: dict[str, str] = {}
    for role in (VISITOR, *ROLES):
        with _browser(base, cookies.get(role)) as browser:
            waiting, asked = list(starts), set(done)
            while waiting:
                for path in LINK.findall(browser.get(waiting.pop()).text):
                    if kind_of(path) in asked or path.startswith(NO_PAGES):
                        continue
                    asked.add(kind_of(path))
                    if _is_page(browser, path):
                        done.add(kind_of(path))
                        found[path] = role
                        waiting.append(path)
    return found


def least_role(base: str, path: str, cookies: dict[str, str]) -> str | None:
    """The first of the roles that gets a page there."""
    for role in (VISITOR, *ROLES):
        with _browser(base, cookies.get(role)) as browser:
            if _is_page(browser, path):
                return role
    return None


def _browser(base: str, cookie: str | None) -> httpx.Client:
    return httpx.Client(
        base_url=base,
        headers={"accept": "text/html"},
        cookies={COOKIE: cookie} if cookie else {},
        timeout=60,
        limits=httpx.Limits(max_keepalive_connections=0),  # on a busy machine the server ends idle connections first
        verify=False,  # noqa: S501 - plain HTTP to this machine; preparing for HTTPS would take longer than the requests
    )


def _is_page(browser: httpx.Client, path: str) -> bool:
    """Whether a page is at this very address: not a refusal, another page, a download or data."""
    answer = browser.get(path)
    return answer.status_code == 200 and answer.headers.get("content-type", "").startswith("text/html")
