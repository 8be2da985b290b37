"""A table as the database describes it."""

from __future__ import annotations

import json
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it comes without type information

from games.protocol import Game, Seat
from server.live.models import Due, Source
from server.live.tables import referee
from server.live.tables.table import (
    REFEREE,
    Deadline,
    Member,
    Place,
    Sealed,
    Table,
    deadlines_of,
)
from server.live.thinking.situations import Course
from server.live.thinking.times import Thinking

BROWSERS = "browsers"


def table_from(match: int, row: asyncpg.Record, game: Game) -> Table:
    """The table that a row of Repository.load describes."""
    moves: list[str] = list(row["moves"] or ())
    standing = referee.replay(game, game.start(), moves)
    notes = json.loads(row["notes"] or "[]")
    table = Table(
        match=match,
        reference=row["game"],
        game=game,
        seed=bytes(row["dice_seed"]),
        secret=bytes(row["secret"]),
        commitment=row["commitment"],
        panel=[Member(game=game, **member) for member in json.loads(row["panel"])],
        browsers_think=row["programs_think"] == BROWSERS and not game.secrets,
        thinking=Thinking.model_validate_json(row["thinking"]),
        clock_ms=row["clock_ms"],
        ask_ms=row["ask_ms"],
        grace_ms=row["grace_ms"],
        proposal_ms=row["proposal_ms"],
        check_share=row["check_share"],
        animation_speed=row["animation_speed"],
        starts_at=row["starts_at"],
        places=[Place(*place) for place in json.loads(row["places"])],
        started=row["due"] != Due.START,
        position=standing.position,
        choices=standing.choices,
        ply=row["ply"],
        moves=moves,
        movers=list(standing.seats),
        course=Course.begin(game).after(standing.played),
        turn_at=row["turn_at"],
        ended=row["ended"],
        sealed={
            seat: Sealed(move, Source(source), ms, at)
            for seat, move, source, ms, at in json.loads(row["sealed"] or "[]")
        },
        distrusted={seat for seat, kind, _, _ in notes if kind == "wrong_proposal"},
    )
    table.deadlines = _deadlines(table, standing, row, notes)
    return table


def _deadlines(table: Table, standing: referee.Progress, row: asyncpg.Record, notes: list[Any]) -> dict[Seat, Deadline]:
    """What is due for each seat that is waited for.

    The columns hold the first of them. The others follow from the beginning of the turn, or from having been asked.
    """
    if table.ended or row["due"] is None:  # over, or everybody who is waited for is away after the clock ran out
        return {}
    first = Deadline(Due(row["due"]), row["due_at"])
    if first.due in (Due.START, Due.OPEN):
        return {REFEREE: first}
    turn = deadlines_of(table, standing, table.course, table.ply, table.turn_at)
    waiting = {seat: deadline for seat, deadline in turn.items() if seat not in table.sealed}
    if not waiting:  # the process that took the last choice down died before it could say so
        return {REFEREE: Deadline(Due.OPEN, table.turn_at)}
    for seat, kind, ply, until in notes:
        if kind == "asked" and ply == table.ply and seat in waiting and waiting[seat].due == Due.CLOCK:
            waiting[seat] = Deadline(Due.ASKED, until)
    if row["due_seat"] in waiting:
        waiting[row["due_seat"]] = first
    return waiting
