"""What belongs to a person, wherever it lies: domains register how to hand it out, how to erase it, and what
the account's page and the page of the own data show of it, in a module `personal.py` or one that it imports.

@exports("consents")
async def my_consents(session: AsyncSession, person_id: int) -> JsonValue: ...

@streams("interaction_log")  # what may be large: the JSON text of one entry after the other
async def my_interactions(session: AsyncSession, person_id: int) -> AsyncIterator[bytes]: ...

@counts("matches")
async def number_of_matches(session: AsyncSession, person_id: int) -> int: ...

@erases("interaction_log")
async def forget_interactions(session: AsyncSession, person_id: int) -> None: ...

@shows("consents")
async def my_consents(session: AsyncSession, person_id: int) -> object: ...

@tells("profile")  # in words, and no more of it than a page can hold
async def my_profile(session: AsyncSession, person_id: int, language: str) -> object: ...
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from pydantic import JsonValue
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.domains import domain_modules

Exporter = Callable[[AsyncSession, int], Awaitable[JsonValue]]
Eraser = Callable[[AsyncSession, int], Awaitable[None]]
Stream = Callable[[AsyncSession, int], AsyncIterator[bytes]]
Count = Callable[[AsyncSession, int], Awaitable[int]]
Shower = Callable[[AsyncSession, int], Awaitable[object]]

Teller = Callable[[AsyncSession, int, str], Awaitable[object]]

EXPORTERS: dict[str, Exporter] = {}
"""Heading in the download → who gives it, in order of registration."""

STREAMS: dict[str, Stream] = {}
"""The same for what may be large: given entry by entry."""

COUNTS: dict[str, Count] = {}
"""Heading → how much there is, for the page; nobody's page may take longer the more somebody has sent."""

ERASERS: dict[str, list[Eraser]] = {"account": [], "play_data": [], "interaction_log": []}
"""Occasion → what must go: the account's deletion, or the withdrawal of a consent of that kind."""

SHOWERS: dict[str, Shower] = {}
"""Name in the template of the account's page → who gives it."""

TELLERS: dict[str, Teller] = {}
"""Name in the template of the page of the own data → who gives it."""

AnyExporter = TypeVar("AnyExporter", bound=Exporter)
AnyStream = TypeVar("AnyStream", bound=Stream)
AnyCount = TypeVar("AnyCount", bound=Count)
AnyEraser = TypeVar("AnyEraser", bound=Eraser)
AnyShower = TypeVar("AnyShower", bound=Shower)
AnyTeller = TypeVar("AnyTeller", bound=Teller)


def exports(heading: str) -> Callable[[AnyExporter], AnyExporter]:
    def register(exporter: AnyExporter) -> AnyExporter:
        EXPORTERS[heading] = exporter
        return exporter

    return register


def streams(heading: str) -> Callable[[AnyStream], AnyStream]:
    def register(stream: AnyStream) -> AnyStream:
        STREAMS[heading] = stream
        return stream

    return register


def counts(heading: str) -> Callable[[AnyCount], AnyCount]:
    def register(count: AnyCount) -> AnyCount:
        COUNTS[heading] = count
        return count

    return register


def erases(*occasions: str) -> Callable[[AnyEraser], AnyEraser]:
    def register(eraser: AnyEraser) -> AnyEraser:
        for occasion in occasions:
            ERASERS[occasion].append(eraser)
        return eraser

    return register


def shows(name: str) -> Callable[[AnyShower], AnyShower]:
    def register(shower: AnyShower) -> AnyShower:
        SHOWERS[name] = shower
        return shower

    return register


def tells(name: str) -> Callable[[AnyTeller], AnyTeller]:
    def register(teller: AnyTeller) -> AnyTeller:
        TELLERS[name] = teller
        return teller

    return register


def _load() -> None:
    """Import every domain's `personal` module, which registers what it keeps: whoever deletes an account, a page, the
    nightly worker or a command, must know all of it."""
    domain_modules("personal")


async def pieces(session: AsyncSession, person_id: int, about: dict[str, JsonValue]) -> AsyncIterator[bytes]:
    """The text of one JSON object, piece by piece, that holds `about` and everything of the person.

    Whatever its size, the process neither holds it at once nor stands still while it is made.
    """
    _load()
    yield b"{" + await _entry("account", about)
    for heading, exporter in EXPORTERS.items():
        yield b",\n" + await _entry(heading, await exporter(session, person_id))
    for heading, stream in STREAMS.items():
        between = b",\n" + json.dumps(heading).encode() + b": ["
        async for entry in stream(session, person_id):
            yield between + entry
            between = b",\n"
        yield b"]" if between == b",\n" else between + b"]"
    yield b"}\n"


async def _entry(heading: str, value: JsonValue) -> bytes:
    return await asyncio.to_thread(lambda: f"{json.dumps(heading)}: {json.dumps(value, ensure_ascii=False)}".encode())


def entries(session: AsyncSession, person_id: int, heading: str) -> AsyncIterator[bytes]:
    """What stands under one heading that is given entry by entry."""
    _load()
    return STREAMS[heading](session, person_id)


async def counted(session: AsyncSession, person_id: int) -> dict[str, int]:
    """How much there is under each heading."""
    _load()
    return {heading: await COUNTS[heading](session, person_id) for heading in (*EXPORTERS, *STREAMS)}


async def erase(session: AsyncSession, person_id: int, occasion: str) -> None:
    _load()
    for eraser in ERASERS[occasion]:
        await eraser(session, person_id)


async def shown(session: AsyncSession, person_id: int) -> dict[str, object]:
    _load()
    return {name: await shower(session, person_id) for name, shower in SHOWERS.items()}


async def told(session: AsyncSession, person_id: int, language: str) -> dict[str, object]:
    _load()
    return {name: await teller(session, person_id, language) for name, teller in TELLERS.items()}
