"""Notices a proxy whose word is not believed: then everybody behind it shares one address, and one bucket of attempts.

Uvicorn has put the caller's address from X-Forwarded-For into the scope already, if it trusts who sent it.
"""

from __future__ import annotations

from collections.abc import Callable

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

log = structlog.get_logger()
MOST_TOLD = 20


class NoticeProxies:
    """ASGI middleware. Each such peer is told of once in the log, with the remedy; `notice` counts every request."""

    def __init__(self, app: ASGIApp, *, notice: Callable[[Scope], None]):
        self.app = app
        self.notice = notice
        self.told: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope.get("client"):
            claimed = Headers(scope=scope).get("x-forwarded-for", "")
            peer = str(scope["client"][0])
            if claimed and peer not in [address.strip() for address in claimed.split(",")]:
                self.notice(scope)
                if peer not in self.told and len(self.told) < MOST_TOLD:
                    self.told.add(peer)
                    remedy = "if it is your proxy, name it in GRINTU_TRUSTED_PROXIES"
                    log.warning("forwarded address of an untrusted peer is ignored", peer=peer, remedy=remedy)
        await self.app(scope, receive, send)
