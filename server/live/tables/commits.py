"""Moves are committed with the state that they lead to, its deadline, and the notice to the other processes.

A commit names the ply it answers to; the beginning of a match, which need not bring a move, changes only what has not
begun. A match that is over has no legal move, so its last ply is never answered to.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.live.tables.notices import CHANNEL, grouped
from server.live.tables.table import Next
from server.live.tables.writer import Form, columns


class Commit(NamedTuple):
    """The moves of a turn with what chance did after them, and the state they lead to. Times are seconds since the
    epoch."""

    match: int
    ply: int
    starts: bool
    """Whether this is the beginning of the match."""
    seats: tuple[int, ...]
    texts: tuple[str, ...]
    sources: tuple[str, ...]
    ms: tuple[int, ...]
    to_act: int
    position: str
    at: float
    next: Next
    scores: str | None
    winners: str | None
    notice: str


STATEMENT: Final = """
WITH came AS (
    SELECT * FROM unnest($1::bigint[], $2::int[], $3::bool[], $4::int[], $5::smallint[], $6::text[], $7::float8[],
                         $8::float8[], $9::text[], $10::smallint[], $11::text[], $12::text[], $13::text[], $14::int[])
        AS t(id, ply, starts, next_ply, to_act, position, at, due_at, due, due_seat, scores, winners, notice, part)
), moved AS (
    UPDATE matches m
    SET ply = came.next_ply, to_act = came.to_act, position = came.position, turn_at = to_timestamp(came.at),
        due_at = to_timestamp(came.due_at), due = came.due, due_seat = came.due_seat, sealed = 0,
        ended_at = CASE WHEN came.scores IS NULL THEN NULL ELSE to_timestamp(came.at) END,
        scores = string_to_array(came.scores, ',')::int[], winners = string_to_array(came.winners, ',')::int[]
    FROM came
    WHERE m.id = came.id AND m.ply = came.ply AND (m.due IS NOT DISTINCT FROM 'start') = came.starts
    RETURNING m.id
), appended AS (
    INSERT INTO match_moves (match_id, ply, seat, move, source, ms, at)
    SELECT new.id, new.ply, new.seat, new.move, new.source, new.ms, to_timestamp(new.at)
    FROM unnest($15::bigint[], $16::int[], $17::smallint[], $18::text[], $19::text[], $20::int[], $21::float8[])
        AS new(id, ply, seat, move, source, ms, at)
    WHERE new.id IN (SELECT id FROM moved)
), told AS (
    SELECT pg_notify($22, $23 || E'\\n' || string_agg(came.notice, E'\\n')) FROM came JOIN moved USING (id)
    GROUP BY came.part
)
SELECT (SELECT array_agg(id) FROM moved), (SELECT count(*) FROM told)
"""
PER_MATCH: Final = 14
PER_MOVE: Final = 7


def arguments(batch: Sequence[Commit], process: str) -> tuple[object, ...]:
    """The statement's arrays: one entry per match, then one per move."""
    moves = [
        (one.match, one.ply + index, seat, text, source, ms, one.at)
        for one in batch
        for index, (seat, text, source, ms) in enumerate(zip(one.seats, one.texts, one.sources, one.ms, strict=True))
    ]
    matches = [
        (
            one.match,
            one.ply,
            one.starts,
            one.ply + len(one.texts),
            one.to_act,
            one.position,
            one.at,
            one.next.at,
            one.next.due,
            one.next.seat,
            one.scores,
            one.winners,
            one.notice,
            part,
        )
        for one, part in zip(batch, grouped([one.notice for one in batch]), strict=True)
    ]
    return (*columns(matches, PER_MATCH), *columns(moves, PER_MOVE), CHANNEL, process)


COMMITS: Final = Form[Commit](STATEMENT, arguments)
