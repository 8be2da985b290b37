"""Ending background tasks for certain."""

from __future__ import annotations

import asyncio

AGAIN_SECONDS = 1.0


async def end(*tasks: asyncio.Task[None]) -> None:
    """Cancel, and wait for the end. One cancellation can get lost: when it meets a time limit that has just run out, or
    an error while a connection is given back, libraries report the other event instead."""
    while remaining := [task for task in tasks if not task.done()]:
        for task in remaining:
            task.cancel()
        await asyncio.wait(remaining, timeout=AGAIN_SECONDS)
