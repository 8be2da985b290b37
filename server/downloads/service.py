"""Asking for a file, building it in a worker, and handing it out.

Whoever has much of it makes a worker busy, never a server: that only passes on pieces of a bounded size.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Account
from server.base.clock import now
from server.base.errors import NotFound
from server.downloads.building import KINDS
from server.downloads.models import Download, DownloadPiece
from server.jobs.registry import enqueue
from server.storage.database import Database

JOB: Final = "downloads.build"
KEPT: Final = timedelta(days=1)
PATIENCE: Final = timedelta(hours=1)
"""Whoever asks again while it is being built gets the same one, unless that takes longer than this."""
PIECE_BYTES: Final = 256 * 1024


async def ask(session: AsyncSession, account_id: int, kind: str) -> None:
    """Let a worker build a new file of this kind; the one before is thrown away. Raises NotFound."""
    if kind not in KINDS:
        raise NotFound
    await session.execute(select(Account.id).where(Account.id == account_id).with_for_update())  # one asks at a time
    before = await _newest(session, account_id, kind)
    if before is not None and before.ready_at is None and before.asked_at > now() - PATIENCE:
        return
    if before is not None:
        await session.delete(before)
        await session.flush()
    made = Download(account_id=account_id, kind=kind, asked_at=now(), ready_at=None, bytes=0)
    session.add(made)
    await session.flush()
    await enqueue(session, JOB, {"download": made.id})


async def _newest(session: AsyncSession, account_id: int, kind: str) -> Download | None:
    query = select(Download).where(Download.account_id == account_id, Download.kind == kind)
    found: Download | None = await session.scalar(query)
    return found


async def all_of(session: AsyncSession, account_id: int) -> dict[str, Download]:
    """What there is for an account, by kind."""
    return {found.kind: found for found in await session.scalars(select(Download).filter_by(account_id=account_id))}


async def ready(session: AsyncSession, account_id: int, kind: str) -> Download | None:
    """The file, if it can be had."""
    found = await _newest(session, account_id, kind)
    return found if found is not None and found.ready_at is not None else None


async def build(database: Database, download_id: int) -> None:
    """Make the file, in short transactions, so that nobody who deletes an account waits for it."""
    async with database.transaction() as session:
        download = await session.get(Download, download_id)
        if download is None or download.ready_at is not None:
            return  # deleted, asked for anew, or built before a crash
        await session.execute(delete(DownloadPiece).where(DownloadPiece.download_id == download_id))
    number = size = 0
    try:
        async with database.sessions() as reading:
            async for piece in _gathered(KINDS[download.kind].pieces(reading, download.account_id)):
                async with database.transaction() as session:
                    session.add(DownloadPiece(download_id=download_id, number=number, data=piece))
                number, size = number + 1, size + len(piece)
    except (IntegrityError, NotFound):
        return  # the account or the file went meanwhile
    async with database.transaction() as session:
        kept = await session.get(Download, download_id)
        if kept is not None:
            kept.ready_at, kept.bytes = now(), size


async def _gathered(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same in pieces that are worth a row."""
    parts: list[bytes] = []
    size = 0
    async for piece in pieces:
        parts.append(piece)
        size += len(piece)
        if size >= PIECE_BYTES:
            yield b"".join(parts)
            parts, size = [], 0
    if parts:
        yield b"".join(parts)


async def stream(database: Database, download_id: int) -> AsyncIterator[bytes]:
    """The pieces of a file that is ready; between two of them nobody holds a connection."""
    number = 0
    while True:
        query = select(DownloadPiece.data).filter_by(download_id=download_id, number=number)
        async with database.glances() as session:
            piece: bytes | None = await session.scalar(query)
        if piece is None:
            return
        yield piece
        number += 1


async def forget(session: AsyncSession, person_id: int) -> None:
    """Throw away what was built for a person: it holds what shall be gone."""
    accounts = select(Account.id).where(Account.person_id == person_id)
    await session.execute(delete(Download).where(Download.account_id.in_(accounts)))


async def forget_old(session: AsyncSession) -> None:
    await session.execute(delete(Download).where(Download.asked_at < now() - KEPT))
