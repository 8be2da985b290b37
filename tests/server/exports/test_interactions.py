"""The interaction log leaves as a table with a codebook, and the viewer places it on the board."""

from __future__ import annotations

import csv
import json
import random
import threading
import zlib
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.clock import now
from server.exports.service import Wanted, export
from server.exports.tables import chosen
from server.live.models import InteractionBatch
from server.live.records.interactions import EVENTS as EVENTS_AS_KEPT
from server.live.wire.messages import LoggedEvent, LoggedKind
from server.storage.database import Database
from server.viewer import traces as viewer_traces
from server.viewer.schemas import Trace
from server.viewer.traces import TRACES, Batch, trace, traces, traces_as_json
from tests.server.questionnaires.conftest import played_match

EVENTS = [
    {"t": 50, "kind": "pointer", "x": 1, "y": 1},
    {"t": 100, "kind": "board", "x": 10, "y": 20, "width": 200, "height": 100},
    {"t": 100, "kind": "pointer", "x": 110, "y": 45},
    {"t": 200, "kind": "pause", "ms": 3000},
    {"t": 3200, "kind": "click", "x": 10, "y": 120, "target": "=p3"},
    {"t": 3300, "kind": "key", "key": "Enter"},
]


async def logged(session: AsyncSession) -> tuple[int, int]:
    match = await played_match(session)
    session.add(
        InteractionBatch(
            match_id=match.id,
            person_id=match.first,
            number=0,
            at=now(),
            events=len(EVENTS),
            data=zlib.compress(json.dumps(EVENTS).encode()),
        )
    )
    await session.commit()
    return match.id, match.first


async def test_every_event_is_a_row_and_every_column_is_explained(
    session: AsyncSession, database: Database, tmp_path: Path
) -> None:
    match, _ = await logged(session)
    manifest = await export(database, Wanted(chosen(["interactions"])), tmp_path)
    with (tmp_path / "interactions.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(int(row["t"]), row["kind"]) for row in rows] == [(event["t"], event["kind"]) for event in EVENTS]
    assert {row["match"] for row in rows} == {str(match)}
    assert (rows[1]["width"], rows[3]["milliseconds"], rows[5]["key"]) == ("200", "3000", "Enter")
    assert rows[4]["target"] == "'=p3", "no spreadsheet takes it for a formula"
    assert manifest["files"][0]["rows"] == len(EVENTS)
    book = json.loads((tmp_path / "codebook.json").read_text())
    assert "pause" in json.dumps(book)


async def test_the_viewer_gets_the_seat_of_whoever_was_logged(session: AsyncSession) -> None:
    match, _ = await logged(session)
    (found,) = await traces(session, match)
    assert [(x, y) for _, x, y in found.points] == [(5000, 2500)]


def test_events_are_placed_in_time_and_on_the_board() -> None:
    start = now()
    found = trace(2, start, [Batch(2, start + timedelta(seconds=10), EVENTS)])
    assert found.points == [(6800, 5000, 2500)], "what came before the board was placed is left out"
    assert found.clicks == [(9900, 0, 10_000)]
    assert found.pauses == [(6900, 3000)]
    assert trace(0, start, []).points == []


def test_whatever_a_browser_may_log_breaks_no_page() -> None:
    """Every kind of event with every choice of its values, zero and less among them, as the wire takes and keeps it."""
    values = dict.fromkeys(("x", "y", "width", "height", "ms"), (None, -5, 0, 7))
    listed = [
        LoggedEvent(t=t, kind=kind, **dict(zip(values, chosen, strict=True)))
        for kind in get_args(LoggedKind)
        for t, chosen in enumerate(product(*values.values()))
    ]
    random.Random("any order").shuffle(listed)
    kept = json.loads(EVENTS_AS_KEPT.dump_json(listed, exclude_none=True))
    start = now()
    found = trace(0, start, [Batch(0, start, kept[place : place + 2000]) for place in range(0, len(kept), 2000)])
    assert len(found.pauses) == len([one for one in listed if one.kind == "pause" and one.ms is not None])
    assert found.points
    TRACES.dump_json([found])


async def test_the_viewer_computes_traces_beside_the_event_loop(
    session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, _ = await logged(session)
    threads: list[threading.Thread] = []
    genuine = viewer_traces.trace

    def noting(*arguments: Any) -> Trace:
        threads.append(threading.current_thread())
        return genuine(*arguments)

    monkeypatch.setattr(viewer_traces, "trace", noting)
    answer = json.loads(await traces_as_json(session, match))
    assert [(x, y) for _, x, y in answer[0]["points"]] == [(5000, 2500)]
    assert threads
    assert threading.main_thread() not in threads
