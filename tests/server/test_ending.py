"""Background tasks end even if a cancellation is lost on the way."""

from __future__ import annotations

import asyncio
import contextlib

from server.base.ending import end


async def test_a_task_that_loses_a_cancellation_ends_all_the_same() -> None:
    lost = 0

    async def careless() -> None:
        nonlocal lost
        while lost < 2:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(3600)
            lost += 1
        await asyncio.sleep(3600)

    task = asyncio.create_task(careless())
    await asyncio.sleep(0)
    await end(task)
    assert task.cancelled()
    assert lost == 2


async def test_a_task_that_is_over_needs_no_end() -> None:
    task = asyncio.create_task(asyncio.sleep(0))
    await task
    await end(task)
    await end()
    assert not task.cancelled()
