"""Reading the judgement log as lab/ wants it, and appending to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from lab.judgements import HUMAN, Challenge, Judgement, Verdict
from server.judgements.models import JudgementRow

CHUNK: Final = 20_000
"""Rows that are taken from the driver without a pause: a blocked event loop looks like a dead worker."""
END: Final = 2**62
"""Behind every position in the log."""
LOG = """
SELECT extract(epoch FROM j.at)::float8, j.match_id, p.pseudonym, j.strategy, j.verdict, j.sureness, j.enjoyment,
       j.challenge
FROM judgements j JOIN persons p ON p.id = j.person_id
WHERE j.id <= $1 AND j.person_id <> ALL($2::bigint[]) ORDER BY j.id
"""
LogRow = tuple[float, int, str, str | None, str, int | None, int | None, str | None]
VERDICTS: Final = {verdict.value: verdict for verdict in Verdict}
CHALLENGES: Final[dict[str | None, Challenge | None]] = {None: None, **{one.value: one for one in Challenge}}


async def append(session: AsyncSession, rows: list[dict[str, object]]) -> None:
    """Append judgements; a row that is in the log already stays as it is."""
    if rows:
        await session.execute(insert(JudgementRow).values(rows).on_conflict_do_nothing())


async def position(session: AsyncSession) -> int:
    """The newest position in the log, 0 while it is empty."""
    return await session.scalar(select(func.max(JudgementRow.id))) or 0


async def read_rows(connection: asyncpg.Connection, up_to: int, without: Sequence[int] = ()) -> list[LogRow]:
    """The log in order, up to a position and without some persons, read piece by piece. Within a transaction."""
    rows: list[LogRow] = []
    cursor = await connection.cursor(LOG, up_to, list(without))
    while piece := await cursor.fetch(CHUNK):
        rows += map(tuple, piece)
    return rows


def as_log(rows: Iterable[LogRow]) -> list[Judgement]:
    """The rows as lab/ wants them. Rows travel to other processes ten times faster than judgements do."""
    return [
        Judgement(
            time=at,
            match=str(match),
            person=person,
            seat_truth=strategy or HUMAN,
            verdict=VERDICTS[verdict],
            sureness=sureness,
            enjoyment=enjoyment,
            challenge=CHALLENGES[challenge],
        )
        for at, match, person, strategy, verdict, sureness, enjoyment, challenge in rows
    ]


async def read_log(session: AsyncSession, *, up_to: int = END, without: Collection[int] = ()) -> list[Judgement]:
    """The log in order, up to a position and without some persons; persons appear by pseudonym."""
    return as_log(await read_rows(await driver_of(session), up_to, list(without)))


async def driver_of(session: AsyncSession) -> asyncpg.Connection:
    """The session's own connection, with its transaction open, for hand-written SQL."""
    await session.execute(select(1))  # only a statement really opens the transaction on the driver's connection
    raw = await (await session.connection()).get_raw_connection()
    assert raw.driver_connection is not None
    return raw.driver_connection


def as_judgement(row: JudgementRow, pseudonym: str) -> Judgement:
    return Judgement(
        time=row.at.timestamp(),
        match=str(row.match_id),
        person=pseudonym,
        seat_truth=row.strategy or HUMAN,
        verdict=Verdict(row.verdict),
        sureness=row.sureness,
        enjoyment=row.enjoyment,
        challenge=None if row.challenge is None else Challenge(row.challenge),
    )
