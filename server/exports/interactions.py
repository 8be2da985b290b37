"""The interaction log as a table: one row per event, out of batches that the database keeps packed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, get_args

from server.exports.columns import GAME, MATCH, PERSON, SEAT, Column, ColumnKind, Table
from server.live.records.interactions import events_of
from server.live.wire.messages import LoggedKind

FIELDS: Final = ("x", "y", "width", "height", "key", "target", "ms")


def unpack(batch: Sequence[Any]) -> Iterator[Sequence[Any]]:
    *where, data = batch
    for place, event in enumerate(events_of(data)):
        yield (*where, place, event["t"], event["kind"], *(event.get(field) for field in FIELDS))


INTERACTIONS: Final = Table(
    "interactions",
    "interactions",
    "How people who agreed to it used the board during a match: one row per event.",
    (
        MATCH,
        GAME,
        SEAT,
        PERSON,
        Column("batch", ColumnKind.INTEGER, "Number of the batch in which the browser sent it, from 0 on."),
        Column("received_at", ColumnKind.TIME, "When the batch was kept: up to some seconds after its last event."),
        Column("number", ColumnKind.INTEGER, "Place of the event in its batch, from 0 on."),
        Column("t", ColumnKind.INTEGER, "Milliseconds since the page was opened; starts anew after a reload."),
        Column(
            "kind",
            ColumnKind.TEXT,
            "What happened: the pointer's path is sampled ten times a second at most; a pause is at least two seconds "
            "without any event; board says where on the page the board lies from then on.",
            ", ".join(get_args(LoggedKind)),
        ),
        Column("x", ColumnKind.INTEGER, "Of pointers and of the board's left edge: CSS pixels from the page's left."),
        Column("y", ColumnKind.INTEGER, "The same from the top; of a scroll, how far the page is scrolled."),
        Column("width", ColumnKind.INTEGER, "Of the board, in CSS pixels; empty for everything else."),
        Column("height", ColumnKind.INTEGER, "The same."),
        Column("key", ColumnKind.TEXT, "The key that was pressed."),
        Column("target", ColumnKind.TEXT, "What was pressed or clicked: a move, or the kind of the control."),
        Column("milliseconds", ColumnKind.INTEGER, "How long a pause was."),
    ),
    """
    SELECT b.match_id, m.game, s.seat, p.pseudonym, b.number, b.at, b.data
    FROM interaction_batches b JOIN matches m ON m.id = b.match_id JOIN persons p ON p.id = b.person_id
    JOIN match_seats s ON s.match_id = b.match_id AND s.person_id = b.person_id
    WHERE m.starts_at BETWEEN $1 AND $2 ORDER BY b.match_id, s.seat, b.number
    """,
    unpack,
)
