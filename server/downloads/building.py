"""How the files are made, piece by piece: everything that is stored of a person as JSON, and the own books as an
archive."""

from __future__ import annotations

import asyncio
import json
import zipfile
from collections.abc import AsyncIterator, Callable
from typing import Final, NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts import owndata, service


class Recipe(NamedTuple):
    """A file that can be asked for."""

    file: str
    media_type: str
    pieces: Callable[[AsyncSession, int], AsyncIterator[bytes]]
    """Of an account; as small as they come."""


async def own_data(session: AsyncSession, account_id: int) -> AsyncIterator[bytes]:
    """Everything that is stored about a person: the text of a JSON object."""
    person_id, about = await service.about(session, account_id)
    async for piece in owndata.pieces(session, person_id, about):
        yield piece


async def own_books(session: AsyncSession, account_id: int) -> AsyncIterator[bytes]:
    """Every finished match as a file of its own."""
    person_id, _ = await service.about(session, account_id)
    written = Written()
    archive = zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED)
    async for entry in owndata.entries(session, person_id, "matches"):
        match = json.loads(entry)
        await asyncio.to_thread(archive.writestr, f"match-{match['match']}.book", match["book"])
        yield written.taken()
    await asyncio.to_thread(archive.close)
    yield written.taken()


class Written:
    """Where an archive is written to: it forgets what was taken."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Nothing is open."""

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


KINDS: Final = {
    "data": Recipe("grintu-my-data.json", "application/json", own_data),
    "books": Recipe("grintu-my-books.zip", "application/zip", own_books),
}
