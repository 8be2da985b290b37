"""Reading the judgement log as lab/ wants it, game by game, and appending to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from lab.judgements import HUMAN, Challenge, Judgement, Verdict
from server.accounts.models import Person
from server.accounts.pseudonyms import SIMULATED
from server.judgements.models import JudgementRow
from server.storage.database import driver_of

CHUNK: Final = 20_000
"""Rows that are taken from the driver without a pause: a blocked event loop looks like a dead worker."""
END: Final = 2**62
"""Behind every position in the log."""
LOG = """
SELECT extract(epoch FROM j.at)::float8, j.match_id, p.pseudonym, j.strategy, j.verdict, j.sureness, j.enjoyment,
       j.challenge, other.pseudonym
FROM judgements j JOIN persons p ON p.id = j.person_id
LEFT JOIN match_seats s ON s.match_id = j.match_id AND s.seat = j.seat AND j.strategy IS NULL
LEFT JOIN persons other ON other.id = s.person_id
WHERE j.game = $1 AND j.id <= $2 AND j.person_id <> ALL($3::bigint[]) ORDER BY j.id
"""
# One look into the index per game, however many judgements there are.
GAMES = text("""
WITH RECURSIVE one AS (
    (SELECT game FROM judgements ORDER BY game LIMIT 1)
  UNION ALL
    SELECT (SELECT j.game FROM judgements j WHERE j.game > one.game ORDER BY j.game LIMIT 1)
    FROM one WHERE one.game IS NOT NULL
)
SELECT game FROM one WHERE game IS NOT NULL
""")
LogRow = tuple[float, int, str, str | None, str, int | None, int | None, str | None, str | None]
VERDICTS: Final = {verdict.value: verdict for verdict in Verdict}
CHALLENGES: Final[dict[str | None, Challenge | None]] = {None: None, **{one.value: one for one in Challenge}}


async def append(session: AsyncSession, rows: list[dict[str, object]]) -> None:
    """Append judgements; a row that is in the log already stays as it is."""
    if rows:
        await session.execute(insert(JudgementRow).values(rows).on_conflict_do_nothing())


async def position(session: AsyncSession, game: str) -> int:
    """The newest position of a game in the log, 0 while nobody has judged in it."""
    return await session.scalar(select(func.max(JudgementRow.id)).where(JudgementRow.game == game)) or 0


async def games_judged(session: AsyncSession) -> tuple[str, ...]:
    """The references of all games that anybody has judged in."""
    return tuple(await session.scalars(GAMES))


async def read_rows(connection: asyncpg.Connection, game: str, up_to: int, without: Sequence[int] = ()) -> list[LogRow]:
    """The log of a game in order, up to a position, without some persons, and piece by piece. Within a transaction."""
    rows: list[LogRow] = []
    cursor = await connection.cursor(LOG, game, up_to, list(without))
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
            judged=judged,
        )
        for at, match, person, strategy, verdict, sureness, enjoyment, challenge, judged in rows
    ]


async def read_log(
    session: AsyncSession, game: str, *, up_to: int = END, without: Collection[int] = ()
) -> list[Judgement]:
    """The log of a game in order, up to a position and without some persons; persons appear by pseudonym."""
    return as_log(await read_rows(await driver_of(session), game, up_to, list(without)))


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


async def people_have_judged(session: AsyncSession) -> bool:
    """Whether the log holds judgements of others than simulated persons."""
    judged = (
        select(JudgementRow.id)
        .join(Person, Person.id == JudgementRow.person_id)
        .where(Person.pseudonym.not_like(f"{SIMULATED}%"))
    )
    return bool(await session.scalar(select(judged.exists())))
