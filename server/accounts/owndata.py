"""What belongs to a person, wherever it lies: domains register how to hand it out and how to erase it.

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


async def export_all(session: AsyncSession, person_id: int) -> dict[str, JsonValue]:
    return {heading: await exporter(session, person_id) for heading, exporter in EXPORTERS.items()}


async def erase(session: AsyncSession, person_id: int, occasion: str) -> None:
    for eraser in ERASERS[occasion]:
        await eraser(session, person_id)
