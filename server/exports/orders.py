"""Exports as jobs: a researcher asks for one, a worker makes it and tells how far it is, any server hands it out.

An archive is made in a folder of its own, cut into pieces, and kept in the database for a day.
"""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final

from pydantic import BaseModel
from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Account
from server.base.clock import now
from server.base.errors import N_
from server.base.settings import Settings
from server.exports.models import Export, ExportPiece
from server.exports.service import EARLIEST, Wanted, export
from server.exports.tables import chosen
from server.jobs.registry import enqueue
from server.mail.outbox import post
from server.storage.database import Database
from server.storage.scratch import scratch_folder
from server.web.translations import translations

JOB: Final = "exports.make"
ATTEMPTS: Final = 2
KEPT: Final = timedelta(days=1)
PIECE_BYTES: Final = 256 * 1024
TELL_EVERY: Final = 1.0
OCCASION: Final = "export"
SUBJECT: Final = N_("Your export is ready")
BODY: Final = N_("The export that you asked for is ready. You find it here for a day:\n\n%(link)s\n")


class Order(BaseModel):
    """What somebody wants exported; days are whole, in UTC, and both included."""

    what: list[str] = []
    form: str = "csv"
    first: date | None = None
    last: date | None = None
    books: bool = False

    def wanted(self, asked_at: datetime, reader: int) -> Wanted:
        """For a person, who is not told of what he or she has still to judge. Raises KeyError with an unknown table."""
        return Wanted(
            chosen(self.what),
            self.form,
            datetime.combine(self.first, time.min, UTC) if self.first else EARLIEST,
            datetime.combine(self.last, time.max, UTC) if self.last else asked_at,
            self.books,
            reader,
        )


async def ask(session: AsyncSession, account_id: int, order: Order, *, by_mail: bool) -> None:
    """Let a worker make it; the one before is thrown away, also while it is being made."""
    await session.execute(select(Account.id).where(Account.id == account_id).with_for_update())  # one asks at a time
    await session.execute(delete(Export).where(Export.account_id == account_id))
    made = Export(
        account_id=account_id,
        wanted=order.model_dump(mode="json"),
        by_mail=by_mail,
        asked_at=now(),
        step="",
        steps_done=0,
        steps=len(chosen(order.what)) + order.books,
        rows=0,
        bytes=0,
    )
    session.add(made)
    await session.flush()
    await enqueue(session, JOB, {"export": made.id})


async def of_account(session: AsyncSession, account_id: int) -> Export | None:
    found: Export | None = await session.scalar(select(Export).where(Export.account_id == account_id))
    return found


async def make(database: Database, settings: Settings, export_id: int) -> None:
    """Write the tables, pack them, and put the archive into the database, in short transactions."""
    async with database.transaction() as session:
        asked = await session.get(Export, export_id)
        if asked is None or asked.ready_at is not None:
            return  # thrown away, or made before a crash
        await session.execute(delete(ExportPiece).where(ExportPiece.export_id == export_id))
        asked.failed_at = None  # it is tried once more
        reader = (await session.scalars(select(Account.person_id).where(Account.id == asked.account_id))).one()
        wanted = Order.model_validate(asked.wanted).wanted(asked.asked_at, reader)
    telling = Telling(database, export_id)
    try:
        async with telling:
            place = scratch_folder(settings.data_dir / "exports")
            folder = await asyncio.to_thread(place.__enter__)
            try:
                await export(database, wanted, folder / "grintu-export", telling.note)
                archive = await asyncio.to_thread(_pack, folder)
                size = await _keep(database, export_id, archive)
            finally:
                await asyncio.to_thread(place.__exit__, None, None, None)
    except GoneError:
        return  # the account or the export went meanwhile
    except Exception:
        async with database.transaction() as session:
            await session.execute(update(Export).where(Export.id == export_id).values(failed_at=now()))
        raise
    async with database.transaction() as session:
        kept = await session.get(Export, export_id)
        if kept is None:
            return
        kept.ready_at, kept.failed_at, kept.bytes = now(), None, size
        kept.step, kept.steps_done, kept.rows = "", kept.steps, 0
        if kept.by_mail:
            await _tell_by_mail(session, settings, kept.account_id)


class GoneError(Exception):
    """Nobody wants this export any more."""


class Telling:
    """Writes now and then how far an export is. Raises GoneError in its place as soon as nobody wants it any more."""

    def __init__(self, database: Database, export_id: int) -> None:
        self._database, self._export = database, export_id
        self._step, self._done, self._rows = "", 0, 0
        self._gone = False
        self._task: asyncio.Task[None] | None = None

    def note(self, step: str, rows: int) -> None:
        if self._gone:
            raise GoneError
        if step != self._step and self._step:
            self._done += 1
        self._step, self._rows = step, rows

    async def __aenter__(self) -> None:
        self._task = asyncio.create_task(self._tell())

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _tell(self) -> None:
        while not self._gone:
            values = {"step": self._step, "steps_done": self._done, "rows": self._rows}
            async with self._database.transaction() as session:
                found = await session.scalar(
                    update(Export).where(Export.id == self._export).values(**values).returning(Export.id)
                )
            self._gone = found is None
            await asyncio.sleep(TELL_EVERY)


def _pack(folder: Path) -> Path:
    target = folder / "export.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((folder / "grintu-export").rglob("*")):
            archive.write(path, path.relative_to(folder))
    return target


async def _keep(database: Database, export_id: int, archive: Path) -> int:
    size = 0
    for number, piece in enumerate(_pieces(archive)):
        try:
            async with database.transaction() as session:
                session.add(ExportPiece(export_id=export_id, number=number, data=piece))
        except IntegrityError as error:
            raise GoneError from error
        size += len(piece)
    return size


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            yield piece


async def _tell_by_mail(session: AsyncSession, settings: Settings, account_id: int) -> None:
    account = await session.get_one(Account, account_id)
    words = translations(account.language)
    body = words.ugettext(BODY) % {"link": f"{settings.base_url}/research/exports"}
    await post(session, account, OCCASION, words.ugettext(SUBJECT), body)


async def stream(database: Database, export_id: int) -> AsyncIterator[bytes]:
    """The pieces of an archive that is ready; between two of them nobody holds a connection."""
    number = 0
    while True:
        query = select(ExportPiece.data).filter_by(export_id=export_id, number=number)
        async with database.glances() as session:
            piece: bytes | None = await session.scalar(query)
        if piece is None:
            return
        yield piece
        number += 1


async def forget_all(session: AsyncSession, _: int) -> None:
    """Somebody's data go: exports hold copies of everybody's, so all of them go and can be made anew."""
    await session.execute(delete(Export))


async def forget_old(session: AsyncSession) -> None:
    await session.execute(delete(Export).where(Export.asked_at < now() - KEPT))
