"""No request may fill the memory: bodies above a limit are refused, whatever their header claims."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 4 * 1024 * 1024
"""Bytes; the largest thing anybody uploads is a rule base or a questionnaire, far below this."""


class LimitBodies:
    """ASGI middleware. It stands inside the error handling, so that the refusal becomes a page or JSON."""

    def __init__(self, app: ASGIApp, *, largest: int = LARGEST):
        self.app = app
        self.largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        received = 0

        async def count() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.largest:
                raise HTTPException(413)
            return message

        await self.app(scope, count, send)
