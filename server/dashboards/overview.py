"""The study at a glance: what happened when, how long people waited, where they dropped out, and the round of now."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

import numpy as np
from sqlalchemy.ext.asyncio import AsyncSession

from games.registry import GAMES
from server.clock import now
from server.dashboards.counts import PLANNING, STAGE_NAMES, Counts, beginning, person_ids
from server.dashboards.filters import Filter, Part, end_of, start_of
from server.dashboards.periods import Unit, periods, unit_for
from server.dashboards.schemas import Bin, Overview, Period, RoundNow, Stage, Totals
from server.dashboards.shares import share
from server.dashboards.standing import standing
from server.database import Database
from server.errors import NotFound
from server.rounds import repository as rounds
from server.rounds.models import Round

BINS: Final = 20


async def overview(session: AsyncSession, database: Database, chosen: Filter) -> Overview:
    """Everything that the overview shows of the chosen part."""
    round_ = await _round(session, chosen)
    part = await part_of(session, database, chosen, round_)
    unit = unit_for(part.until - part.since)
    async with database.pool.acquire() as connection, connection.transaction(readonly=True):
        await connection.execute(PLANNING)
        counts = Counts(connection, part, unit)
        cells = _cells(part, unit, [await getattr(counts, name)() for name in PER_PERIOD])
        judgements, waits = await counts.judgements(), await counts.waits()
        stages, at_present = await counts.stages(), await counts.now()
    happened = [_period(at, cell) for at, cell in cells.items()]
    return Overview(
        updated_at=now(),
        since=part.since,
        until=part.until,
        unit=unit,
        totals=_totals(happened, judgements, waits, at_present),
        periods=happened,
        waits=_bins(waits),
        stages=[Stage(name=name, persons=stages[name]) for name in STAGE_NAMES],
        round=None if round_ is None else round_now(round_),
    )


PER_PERIOD: Final = ("probands", "matches", "stand_ins", "sheets")
"""The counts that are asked for per period."""


async def part_of(session: AsyncSession, database: Database, chosen: Filter, round_: Round | None) -> Part:
    """The chosen part; where no dates are chosen, those of the round, else of the whole study."""
    since = start_of(chosen.since) if chosen.since else None
    until = end_of(chosen.until) if chosen.until else None
    game = chosen.game
    if chosen.round is not None and round_ is not None:
        since = max(filter(None, (since, round_.created_at)))
        until = min(filter(None, (until, round_.ended_at or now())))
        game = round_.game
    persons = None
    if chosen.group is not None:
        ratings = await standing(session, database)
        persons = await person_ids(database.pool, ratings.members(chosen.group) if ratings else [])
    first = since or await beginning(database.pool) or now() - timedelta(days=1)
    last = until or now()
    return Part(min(first, last), last, game, persons)


async def _round(session: AsyncSession, chosen: Filter) -> Round | None:
    """The round that was chosen; else the one that runs, else the newest."""
    if chosen.round is not None:
        found = await rounds.find(session, chosen.round)
        if found is None:
            raise NotFound
        return found
    every = [one for one in await rounds.all_rounds(session) if chosen.game in (None, one.game)]
    return next((one for one in every if one.active), every[0] if every else None)


def round_now(round_: Round) -> RoundNow:
    return RoundNow(
        id=round_.id,
        name=round_.name,
        game=round_.game,
        status=round_.status,
        phase=round_.phase,
        step=round_.step,
        population=len(round_.state["members"]),
        waiting=round_.waiting,
        since=round_.created_at,
    )


async def choices(session: AsyncSession, database: Database) -> dict[str, list[tuple[str, str]]]:
    """What the filters can be set to."""
    ratings = await standing(session, database)
    groups = ratings.record["groups"] if ratings else []
    return {
        "rounds": [(str(one.id), one.name) for one in await rounds.all_rounds(session)],
        "games": [(name, name) for name in GAMES],
        "groups": [(str(one["group"]), f"{one['group'] + 1} ({one['persons']})") for one in groups],
    }


def _cells(part: Part, unit: Unit, answers: Iterable[Iterable[Any]]) -> dict[Any, dict[str, int]]:
    """The counts of all queries by period, those without any included."""
    cells: dict[Any, dict[str, int]] = {at: {} for at in periods(part.since, part.until, unit)}
    for rows in answers:
        for row in rows:
            cells.setdefault(row["at"], {}).update({key: row[key] for key in row.keys() if key != "at"})  # noqa: SIM118 - a record's own iteration gives its values
    return dict(sorted(cells.items()))


def _period(at: Any, cell: dict[str, int]) -> Period:
    counted = {key: value for key, value in cell.items() if key != "stand_ins"}
    return Period(at=at, stand_ins=share(cell.get("stand_ins", 0), cell.get("matches", 0)), **counted)


def _totals(happened: list[Period], judgements: int, waits: list[float], at_present: Any) -> Totals:
    matches = sum(one.matches for one in happened)
    finished = sum(one.finished for one in happened)
    closed = finished + sum(one.skipped + one.expired for one in happened)
    replaced = sum(round((one.stand_ins.share or 0) * one.stand_ins.of) for one in happened)
    return Totals(
        probands=sum(one.probands for one in happened),
        matches=matches,
        running=at_present["running"],
        waiting=at_present["waiting"],
        judgements=judgements,
        questionnaires=closed + sum(one.open for one in happened),
        finished=share(finished, closed),
        stand_ins=share(replaced, matches),
        wait_median=float(np.quantile(waits, 0.5)) if waits else None,
        wait_most=float(np.quantile(waits, 0.9)) if waits else None,
    )


def _bins(waits: list[float]) -> list[Bin]:
    if not waits:
        return []
    edges = np.histogram_bin_edges(waits, BINS, range=(0, max(1.0, float(np.ceil(max(waits))))))
    heights, _ = np.histogram(waits, edges)
    return [
        Bin(low=low, high=high, count=count)
        for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), heights.tolist(), strict=True)
    ]
