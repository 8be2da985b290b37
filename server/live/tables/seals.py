"""What a seat has chosen while others still choose is kept sealed, with what is due then.

A seal names the ply and how many seats have sealed their choice there: if another process was quicker with another
seat, what is due has to be thought over.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.live.tables.notices import CHANNEL, changed_line, grouped
from server.live.tables.table import Next, Sealed
from server.live.tables.writer import Form, columns


class Seal(NamedTuple):
    match: int
    ply: int
    before: int
    """How many seats have sealed their choice at this ply already."""
    seat: int
    sealed: Sealed
    next: Next


STATEMENT: Final = """
WITH came AS (
    SELECT * FROM unnest($1::bigint[], $2::int[], $3::smallint[], $4::smallint[], $5::text[], $6::text[], $7::int[],
                         $8::float8[], $9::float8[], $10::text[], $11::smallint[], $12::text[], $13::int[])
        AS t(id, ply, before, seat, move, source, ms, at, due_at, due, due_seat, notice, part)
), held AS (
    UPDATE matches m
    SET sealed = came.before + 1, due_at = to_timestamp(came.due_at), due = came.due, due_seat = came.due_seat
    FROM came
    WHERE m.id = came.id AND m.ply = came.ply AND m.sealed = came.before AND m.ended_at IS NULL
      AND m.due IS DISTINCT FROM 'start'
    RETURNING m.id
), kept AS (
    INSERT INTO sealed_moves (match_id, ply, seat, move, source, ms, at)
    SELECT id, ply, seat, move, source, ms, to_timestamp(at) FROM came JOIN held USING (id)
), told AS (
    SELECT pg_notify($14, $15 || E'\\n' || string_agg(came.notice, E'\\n')) FROM came JOIN held USING (id)
    GROUP BY came.part
)
SELECT (SELECT array_agg(id) FROM held), (SELECT count(*) FROM told)
"""
COLUMNS: Final = 13


def arguments(batch: Sequence[Seal], process: str) -> tuple[object, ...]:
    notices = [changed_line(one.match) for one in batch]
    rows = [
        (one.match, one.ply, one.before, one.seat, *one.sealed, one.next.at, one.next.due, one.next.seat, notice, part)
        for one, notice, part in zip(batch, notices, grouped(notices), strict=True)
    ]
    return (*columns(rows, COLUMNS), CHANNEL, process)


SEALS: Final = Form[Seal](STATEMENT, arguments)
