"""Protection against requests that another site makes a browser send.

A random value lives in an http-only cookie; pages carry a signature of it, which other sites can neither read nor make.
It is wanted in the form field ``csrf_token`` or the header ``X-CSRF-Token`` of every request that may change something.
Browsers that tell where a request comes from are believed when they say it came from elsewhere.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Annotated, Self
from urllib.parse import urlsplit

from fastapi import Depends
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from server.cookies import cookie_name
from server.errors import BadToken
from server.settings import Settings

COOKIE = "csrf"
FIELD = "csrf_token"
HEADER = "x-csrf-token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
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
        value = secrets.token_urlsafe(24) if fresh else value
        return cls(value, sign(value, settings.secret), fresh)

    def keep(self, response: Response, settings: Settings) -> None:
        if self.fresh:
            name = cookie_name(COOKIE, settings)
            response.set_cookie(name, self.value, httponly=True, samesite="lax", secure=settings.secure_cookies)


def sign(value: str, secret: str) -> str:
    return hmac.new(f"csrf:{secret}".encode(), value.encode(), hashlib.sha256).hexdigest()


async def check(connection: HTTPConnection) -> None:
    """Refuse a changing request, or a websocket, that did not come from one of our own pages."""
    if isinstance(connection, Request) and connection.method in SAFE_METHODS:
        return
    if not _same_origin(connection):
        raise BadToken
    if not isinstance(connection, Request):
        return  # a websocket carries its origin, and scripts cannot forge that
    request = connection
    settings: Settings = request.app.state.settings
    value = request.cookies.get(cookie_name(COOKIE, settings), "")
    given = request.headers.get(HEADER) or await _field(request)
    expected = sign(value, settings.secret)
    if not value or not hmac.compare_digest(given.encode(), expected.encode()):
        raise BadToken


def _same_origin(request: HTTPConnection) -> bool:
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host", "")


async def _field(request: Request) -> str:
    if not request.headers.get("content-type", "").startswith(FORM_TYPES):
        return ""
    value = (await request.form()).get(FIELD, "")
    return value if isinstance(value, str) else ""


CheckOrigin = Annotated[None, Depends(check)]
