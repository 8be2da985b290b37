"""Whoever wants to know when a person has finished a questionnaire or changed the profile.

@when_answered
async def look_at(session: AsyncSession, person_id: int) -> object: ...
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

Listener = Callable[[AsyncSession, int], Awaitable[object]]
AnyListener = TypeVar("AnyListener", bound=Listener)

LISTENERS: list[Listener] = []


def when_answered(listener: AnyListener) -> AnyListener:
    LISTENERS.append(listener)
    return listener


async def tell(session: AsyncSession, person_id: int) -> None:
    """In the transaction of the answers."""
    for listener in LISTENERS:
        await listener(session, person_id)
