"""The study at a glance: what happened when, how long people waited, where they dropped out, and the round of now."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

import numpy as np
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.clock import now
from server.base.errors import NotFound
from server.dashboards.attributes import members
from server.dashboards.counts import PLANNING, at_present, beginning, person_ids, registered
from server.dashboards.days import chunks_of
from server.dashboards.facts import Facts, Floats, count, ways
from server.dashboards.filters import Filter, Part, end_of, start_of
from server.dashboards.periods import Unit, periods, unit_for
from server.dashboards.schemas import Bin, Overview, Period, RoundNow, Stage, Totals
from server.dashboards.shares import share
from server.rounds import repository as rounds
from server.rounds.models import Round
from server.storage.database import Database
from server.study.games import chosen_game, study_games

BINS: Final = 20


async def overview(session: AsyncSession, database: Database, chosen: Filter) -> Overview:
    """Everything that the overview shows of the chosen part."""
    round_ = await _round(session, chosen)
    part = await part_of(session, database, chosen, round_)
    unit = unit_for(part.until - part.since)
    place = str(database.engine.url)
    async with database.pool.acquire() as connection, connection.transaction(readonly=True):
        await connection.execute(PLANNING)
        came = await registered(connection, part, unit)
        present = await at_present(connection)
        chunks = await chunks_of(connection, place, part.since, part.until, unit)
        # How far people got does not end with the chosen time.
        later = await chunks_of(connection, place, part.until, max(part.until, now()), Unit.DAY)
    facts = count(chunks, list(periods(part.since, part.until, unit)), unit, game=part.game, persons=part.persons)
    stages = came.stages(*ways([*chunks, *later], int(came.ids.max(initial=0))))
    happened = [_period(at, cell | {"probands": came.per_period.get(at, 0)}) for at, cell in facts.cells.items()]
    return Overview(
        updated_at=now(),
        since=part.since,
        until=part.until,
        unit=unit,
        totals=_totals(happened, facts, present),
        periods=happened,
        waits=_bins(facts.waits),
        stages=[Stage(name=name, persons=persons) for name, persons in stages.items()],
        round=None if round_ is None else round_now(round_),
    )


async def part_of(session: AsyncSession, database: Database, chosen: Filter, round_: Round | None) -> Part:
    """The chosen part; where no dates are chosen, those of the round, else of the whole study."""
    since = start_of(chosen.since) if chosen.since else None
    until = end_of(chosen.until) if chosen.until else None
    game = await _game(session, chosen)
    if chosen.round is not None and round_ is not None:
        begin, end = await _time_of(session, round_, chosen.round)
        since = max(filter(None, (since, begin)))
        until = min(filter(None, (until, end)))
        game = round_.game
    persons = None
    if chosen.group is not None:
        rated = game or (await study_games(session))[0]
        persons = await person_ids(database.pool, await members(session, database, rated, chosen.group))
    begun = await beginning(database.pool) if since is None else None
    first = since or (start_of(begun.date()) if begun else now() - timedelta(days=1))
    last = until or now()
    return Part(min(first, last), last, game, persons)


async def _time_of(session: AsyncSession, round_: Round, name: str) -> tuple[datetime, datetime]:
    """When the populations of a round played, or that of one generation: one population plays a game at a time."""
    end = round_.ended_at or now()
    generation = name.partition(".")[2]
    if not generation:
        return round_.created_at, end
    begins = {step.number: step.at for step in await rounds.steps(session, round_.id)} | {0: round_.created_at}
    if int(generation) not in begins:
        raise NotFound
    return begins[int(generation)], begins.get(int(generation) + 1, end)


async def _round(session: AsyncSession, chosen: Filter) -> Round | None:
    """The round that was chosen; else the one that runs, else the newest."""
    if chosen.round is not None:
        found = await rounds.find(session, int(chosen.round.partition(".")[0]))
        if found is None:
            raise NotFound
        return found
    game = await _game(session, chosen)
    every = [one for one in await rounds.all_rounds(session) if game in (None, one.game)]
    return next((one for one in every if one.active), every[0] if every else None)


async def _game(session: AsyncSession, chosen: Filter) -> str | None:
    """The reference of the chosen game; None for all games."""
    return await chosen_game(session, chosen.game) if chosen.game else None


def round_now(round_: Round) -> RoundNow:
    final = round_.state.get("final") or []
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
        answer=" ".join(final[0]["elements"]) if final else None,
        simulated=round_.simulated,
    )


def _period(at: datetime, cell: dict[str, int]) -> Period:
    counted = {key: value for key, value in cell.items() if key != "stand_ins"}
    return Period(at=at, stand_ins=share(cell["stand_ins"], cell["matches"]), **counted)


def _totals(happened: list[Period], facts: Facts, present: Any) -> Totals:
    matches = sum(one.matches for one in happened)
    finished = sum(one.finished for one in happened)
    closed = finished + sum(one.skipped + one.expired for one in happened)
    median, most = map(float, np.quantile(facts.waits, (0.5, 0.9))) if len(facts.waits) else (None, None)
    replaced = sum(round((one.stand_ins.share or 0) * one.stand_ins.of) for one in happened)
    return Totals(
        probands=sum(one.probands for one in happened),
        matches=matches,
        running=present["running"],
        waiting=present["waiting"],
        judgements=facts.judgements,
        questionnaires=closed + sum(one.open for one in happened),
        finished=share(finished, closed),
        stand_ins=share(replaced, matches),
        wait_median=median,
        wait_most=most,
    )


def _bins(waits: Floats) -> list[Bin]:
    if not len(waits):
        return []
    edges = np.histogram_bin_edges(waits, BINS, range=(0, max(1.0, float(np.ceil(waits.max())))))
    heights, _ = np.histogram(waits, edges)
    return [
        Bin(low=low, high=high, count=count)
        for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), heights.tolist(), strict=True)
    ]
