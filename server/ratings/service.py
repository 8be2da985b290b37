"""Computing snapshots and finding the one that counts, for each game by itself.

A snapshot is a function of (game, log position, settings, persons left out, software); the last three are its
fingerprint. Which snapshot of a game counts is decided by these values and not by when a job ran or finished, so the
order of jobs is of no consequence: the newest position among those with the fingerprint of now. What people say in one
game says nothing about another: real humans, strategies of the same name and experts are rated in every game anew.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from statistics import fmean

from sqlalchemy.ext.asyncio import AsyncSession

from lab.checks import checks
from lab.experts import ExpertSettings
from lab.judgements import Judgement, in_order
from lab.learning import lessons
from lab.ratings import Ratings, RatingSettings, rate
from lab.records import Record, checks_record, finite, ratings_record, settings_record, share_record
from lab.smoothing import SmoothingSettings, WeightPoint, smooth
from lab.turing import TuringSettings, answers, clustered_share
from server.base.clock import now
from server.falsifiers.service import left_out
from server.judgements.repository import LogRow, as_log, games_judged, position, read_rows
from server.ratings import repository
from server.ratings.evidence import Known, evidence, evidence_record, read_evidence
from server.ratings.models import RatingSnapshot
from server.storage.database import Database
from server.study.settings import StudySettings, read_settings

KEEP = 50
FORM = 6
"""Which form of the record this is: snapshots of another form are computed anew."""


@cache
def software_version() -> str:
    return version("grintu")


@dataclass(frozen=True, slots=True)
class Basis:
    """Everything that ratings depend on besides the log."""

    settings: RatingSettings
    left_out_ids: tuple[int, ...]
    left_out: tuple[str, ...]

    @property
    def fingerprint(self) -> str:
        parts = [settings_record(self.settings), list(self.left_out), software_version(), FORM]
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def rating_settings(study: StudySettings) -> RatingSettings:
    return RatingSettings(
        smoothing=SmoothingSettings(alpha=study.alpha),
        experts=ExpertSettings(
            rule=study.expert_rule,
            probability=study.expert_probability,
            stay=study.experts_stay,
            least_judgements=study.expert_judgements,
            margin=study.expert_margin,
            outfit_low=study.expert_outfit_low,
            outfit_high=study.expert_outfit_high,
            least_d_prime=study.expert_d_prime,
        ),
        turing=TuringSettings(margin=study.equivalence_margin, meetings=study.meetings),
    )


async def basis(session: AsyncSession) -> Basis:
    """The settings and the persons left out, as they are now."""
    falsifiers = await left_out(session)
    return Basis(
        settings=rating_settings(await read_settings(session)),
        left_out_ids=tuple(sorted(falsifiers)),
        left_out=tuple(await repository.pseudonyms(session, falsifiers)),
    )


async def latest(session: AsyncSession, game: str) -> RatingSnapshot | None:
    """The snapshot of a game that counts now, None before the first."""
    return await repository.newest(session, game, (await basis(session)).fingerprint)


async def weight_history(session: AsyncSession, game: str, person_id: int) -> list[WeightPoint]:
    """The course of a person's weight in a game, which shows learning and falsifying; it depends on nobody else."""
    own = (await repository.judgements_of(session, game, [person_id]))[person_id]
    weights = smooth(own, rating_settings(await read_settings(session)).smoothing).persons
    return [point for weight in weights.values() for point in weight.history]


async def refresh(database: Database, processes: Executor, game: str) -> RatingSnapshot | None:
    """Compute the ratings of a game's log as it is now, unless they are there already. None if nothing can be rated."""
    async with database.transaction() as session:
        settled = await repository.settled_position(session, game)
        ground = await basis(session)
    return await at(database, processes, game, settled, ground)


async def behind(session: AsyncSession) -> list[str]:
    """The games whose newest judgements, or the settings of now, no snapshot covers yet."""
    fingerprint = (await basis(session)).fingerprint
    return [
        game
        for game in await games_judged(session)
        if await repository.find(session, game, await position(session, game), fingerprint) is None
    ]


async def at(database: Database, processes: Executor, game: str, up_to: int, ground: Basis) -> RatingSnapshot | None:
    """The stored snapshot of a position and basis, made if it is missing. None if nothing can be rated."""
    async with database.sessions() as session:
        found = await repository.find(session, game, up_to, ground.fingerprint)
    if found is not None or up_to == 0:
        return found
    return await compute(database, processes, game, up_to, ground)


async def compute(
    database: Database, processes: Executor, game: str, up_to: int, ground: Basis
) -> RatingSnapshot | None:
    """The snapshot of a position and basis; computing it twice changes nothing."""
    async with database.pool.acquire() as connection, connection.transaction(readonly=True):
        log = await read_rows(connection, game, up_to, ground.left_out_ids)
    if not log:
        return None
    record, shown = await asyncio.get_running_loop().run_in_executor(processes, computed, log, ground.settings)
    async with database.transaction() as session:
        await repository.store(
            session,
            {
                "game": game,
                "computed_at": now(),
                "log_position": up_to,
                "judgements": len(log),
                "fingerprint": ground.fingerprint,
                "settings": record["settings"],
                "left_out": list(ground.left_out),
                "software": software_version(),
                "record": record,
                "shown": shown,
                "groups": {one["person"]: one["group"] for one in record["persons"] if one["group"] is not None},
            },
        )
        await repository.prune(session, game, KEEP)
        return await repository.find(session, game, up_to, ground.fingerprint)


async def known_at(database: Database, processes: Executor, game: str, up_to: int, ground: Basis) -> Known:
    """What the stored snapshot of a position and basis says to a round; the snapshot is made if it is missing."""
    snapshot = await at(database, processes, game, up_to, ground)
    if snapshot is None:
        return Known()
    async with database.sessions() as session:
        shown = (await repository.whole(session, snapshot.id)).shown
    assert shown is not None, "snapshots with the fingerprint of now are of the form of now"
    return read_evidence(shown["evidence"])


def computed(rows: Sequence[LogRow], settings: RatingSettings) -> tuple[Record, Record]:
    """The CPU work, done in another process: the record, and what pages show and rounds decide by besides."""
    log = in_order(as_log(rows))
    rated = rate(log, settings)
    record = ratings_record(rated)
    return record, {**shown_record(log, rated, record), "evidence": evidence_record(evidence(log, rated))}


def shown_record(log: Sequence[Judgement], rated: Ratings, record: Record) -> Record:
    """What pages show besides: the persons by column, without their weights per strategy, and what needs the log."""
    columns = [key for key in record["persons"][0] if key != "weights"]
    return {
        "persons": {key: [person[key] for person in record["persons"]] for key in columns},
        "learning": [asdict(lesson) for lesson in lessons(log)],
        "human_point": finite(human_point(log)),
        "checks": checks_record(checks(log, rated.expertise.rasch, rated.settings.experts.human_counts_against)),
    }


def human_point(log: Iterable[Judgement]) -> Record:
    """Where real humans stand in the space of the strategies: plain means of what was said about them."""
    humans = [one for one in log if one.of_human]
    funs = [fun for one in humans if (fun := one.fun) is not None]
    challenges = [value for one in humans if (value := one.challenge_value) is not None]
    return {
        "detection": share_record(clustered_share(answers((one.person, one.judged_artificial) for one in humans))),
        "fun": fmean(funs) if funs else None,
        "challenge": fmean(challenges) if challenges else None,
    }
