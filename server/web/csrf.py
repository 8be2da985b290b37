"""Protection against requests that another site makes a browser send.

A random value lives in an http-only cookie; pages carry a signature of it and of the log-in, which other sites can
neither read nor make, and which is good for no other log-in. Each log-in gets a new value.
It is wanted in the form field ``csrf_token`` or the header ``X-CSRF-Token`` of every request that may change something.
Browsers that tell where a request comes from are believed when they say it came from elsewhere.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from server.base.errors import BadToken
from server.base.settings import Settings
from server.web.cookies import SESSION, cookie_name

COOKIE = "csrf"
FIELD = "csrf_token"
HEADER = "x-csrf-token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
REPORTS = "/policy-reports"
"""Where browsers report what they refused to load. They send no token, and nothing is changed by it."""
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


@dataclass(frozen=True, slots=True)
class Token:
    """The cookie's value, the field's value that belongs to it, and whether the cookie must still be set."""

    value: str
    field: str
    fresh: bool

    @classmethod
    def of(cls, request: HTTPConnection, settings: Settings) -> Self:
        value = request.cookies.get(cookie_name(COOKIE, settings), "")
        fresh = len(value) < 20
        value = _new_value() if fresh else value
        return cls(value, sign(value, settings.secret, _login(request, settings)), fresh)

    def keep(self, response: Response, settings: Settings) -> None:
        if self.fresh:
            _set(response, self.value, settings)


def renew(response: Response, settings: Settings) -> None:
    """For a new log-in: what anybody knew or set before it is worth nothing after it."""
    _set(response, _new_value(), settings)


def sign(value: str, secret: str, login: str = "") -> str:
    return hmac.new(f"csrf:{secret}".encode(), f"{value}:{login}".encode(), hashlib.sha256).hexdigest()


def _new_value() -> str:
    return secrets.token_urlsafe(24)


def _set(response: Response, value: str, settings: Settings) -> None:
    name = cookie_name(COOKIE, settings)
    response.set_cookie(name, value, httponly=True, samesite="lax", secure=settings.secure_cookies)


def _login(request: HTTPConnection, settings: Settings) -> str:
    return request.cookies.get(cookie_name(SESSION, settings), "")


async def check(connection: HTTPConnection) -> None:
    """Refuse a changing request, or a websocket, that did not come from one of our own pages."""
    if isinstance(connection, Request) and (connection.method in SAFE_METHODS or connection.url.path == REPORTS):
        return
    if not _same_origin(connection):
        raise BadToken
    if not isinstance(connection, Request):
        return  # a websocket carries its origin, and scripts cannot forge that
    request = connection
    settings: Settings = request.app.state.settings
    value = request.cookies.get(cookie_name(COOKIE, settings), "")
    given = request.headers.get(HEADER) or await _field(request)
    expected = sign(value, settings.secret, _login(request, settings))
    if not value or not hmac.compare_digest(given.encode(), expected.encode()):
        raise BadToken


def _same_origin(request: HTTPConnection) -> bool:
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    if origin is None:
        return True
    came, ours = urlsplit(origin), urlsplit(request.app.state.settings.base_url)
    host = request.headers.get("host", "")
    # Our own address tells the scheme even if the proxy does not; at another one, such as loopback, the request does.
    scheme = ours.scheme if host == ours.netloc else request.url.scheme.replace("ws", "http", 1)
    return (came.scheme, came.netloc) == (scheme, host)


async def _field(request: Request) -> str:
    if not request.headers.get("content-type", "").startswith(FORM_TYPES):
        return ""
    value = (await request.form()).get(FIELD, "")
    return value if isinstance(value, str) else ""
