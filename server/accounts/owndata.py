"""What belongs to a person, wherever it lies: domains register how to hand it out and how to erase it, in a module
`personal.py` or one that it imports.

@exports("matches")
async def my_matches(session: AsyncSession, person_id: int) -> JsonValue: ...

@erases("interaction_log")
async def forget_interactions(session: AsyncSession, person_id: int) -> None: ...
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic import JsonValue
from sqlalchemy.ext.asyncio import AsyncSession

from server.domains import domain_modules

Exporter = Callable[[AsyncSession, int], Awaitable[JsonValue]]
Eraser = Callable[[AsyncSession, int], Awaitable[None]]

EXPORTERS: dict[str, Exporter] = {}
"""Heading in the download → who gives it, in order of registration."""

ERASERS: dict[str, list[Eraser]] = {"account": [], "play_data": [], "interaction_log": []}
"""Occasion → what must go: the account's deletion, or the withdrawal of a consent of that kind."""

AnyExporter = TypeVar("AnyExporter", bound=Exporter)
AnyEraser = TypeVar("AnyEraser", bound=Eraser)


def exports(heading: str) -> Callable[[AnyExporter], AnyExporter]:
    def register(exporter: AnyExporter) -> AnyExporter:
        EXPORTERS[heading] = exporter
        return exporter

    return register


def erases(*occasions: str) -> Callable[[AnyEraser], AnyEraser]:
    def register(eraser: AnyEraser) -> AnyEraser:
        for occasion in occasions:
            ERASERS[occasion].append(eraser)
        return eraser

    return register


def _load() -> None:
    """Import every domain's `personal` module, which registers what it keeps: whoever deletes an account, a page, the
    nightly worker or a command, must know all of it."""
    domain_modules("personal")


async def export_all(session: AsyncSession, person_id: int) -> dict[str, JsonValue]:
    _load()
    return {heading: await exporter(session, person_id) for heading, exporter in EXPORTERS.items()}


async def erase(session: AsyncSession, person_id: int, occasion: str) -> None:
    _load()
    for eraser in ERASERS[occasion]:
        await eraser(session, person_id)
