"""No request may fill the memory or wait for ever: bodies that are too large or too slow are refused, whatever their
header claims."""

from __future__ import annotations

import asyncio

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 4 * 1024 * 1024
"""Bytes; the largest thing anybody uploads is a rule base or a questionnaire, far below this."""

SECONDS = 120.0
"""So long may a body take to arrive."""


class LimitBodies:
    """ASGI middleware. It stands inside the error handling, so that the refusal becomes a page or JSON."""

    def __init__(self, app: ASGIApp, *, largest: int = LARGEST, seconds: float = SECONDS):
        self.app = app
        self.largest = largest
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        received, complete = 0, False
        deadline = asyncio.get_running_loop().time() + self.seconds

        async def count() -> Message:
            nonlocal received, complete
            if complete:
                return await receive()  # waits for the other side to hang up, as long as the answer takes
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, headers={"Connection": "close"}) from None
            received += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if received > self.largest:
                raise HTTPException(413)
            return message

        await self.app(scope, count, send)
