"""Computing snapshots and finding the one that counts.

A snapshot is a function of (log position, settings, persons left out, software); the last three are its fingerprint.
Which snapshot counts is decided by these values and not by when a job ran or finished, so the order of jobs is of no
consequence: the newest position among those with the fingerprint of now.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version

from sqlalchemy.ext.asyncio import AsyncSession

from lab.experts import ExpertSettings
from lab.judgements import Judgement
from lab.ratings import RatingSettings, rate
from lab.records import Record, ratings_record, settings_record
from lab.smoothing import SmoothingSettings, WeightPoint, smooth
from lab.turing import TuringSettings
from server.clock import now
from server.database import Database
from server.falsifiers.service import left_out
from server.judgements import repository as judgements
from server.ratings import repository
from server.ratings.models import RatingSnapshot
from server.study.settings import StudySettings, read_settings

KEEP = 50


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
        parts = [settings_record(self.settings), list(self.left_out), software_version()]
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def rating_settings(study: StudySettings) -> RatingSettings:
    return RatingSettings(
        smoothing=SmoothingSettings(alpha=study.alpha),
        experts=ExpertSettings(
            least_judgements=study.expert_judgements,
            margin=study.expert_margin,
            outfit_low=study.expert_outfit_low,
            outfit_high=study.expert_outfit_high,
            least_d_prime=study.expert_d_prime,
        ),
        turing=TuringSettings(margin=study.equivalence_margin),
    )


async def basis(session: AsyncSession) -> Basis:
    """The settings and the persons left out, as they are now."""
    falsifiers = await left_out(session)
    return Basis(
        settings=rating_settings(await read_settings(session)),
        left_out_ids=tuple(sorted(falsifiers)),
        left_out=tuple(await repository.pseudonyms(session, falsifiers)),
    )


async def latest(session: AsyncSession) -> RatingSnapshot | None:
    """The snapshot that counts now, None before the first."""
    return await repository.newest(session, (await basis(session)).fingerprint)


async def weight_history(session: AsyncSession, person_id: int) -> list[WeightPoint]:
    """The course of a person's weight, which shows learning and falsifying; it depends on nobody else."""
    own = (await repository.judgements_of(session, [person_id]))[person_id]
    weights = smooth(own, rating_settings(await read_settings(session)).smoothing).persons
    return [point for weight in weights.values() for point in weight.history]


async def refresh(database: Database, processes: Executor) -> RatingSnapshot | None:
    """Compute the ratings of the log as it is now, unless they are there already. None if nothing can be rated."""
    async with database.transaction() as session:
        position = await repository.settled_position(session)
        ground = await basis(session)
        found = await repository.find(session, position, ground.fingerprint)
    if found is not None or position == 0:
        return found
    return await compute(database, processes, position, ground)


async def compute(database: Database, processes: Executor, position: int, ground: Basis) -> RatingSnapshot | None:
    """The snapshot of a position and basis; computing it twice changes nothing."""
    async with database.sessions() as session:
        log = await judgements.read_log(session, up_to=position, without=ground.left_out_ids)
    if not log:
        return None
    record = await asyncio.get_running_loop().run_in_executor(processes, rated, log, ground.settings)
    async with database.transaction() as session:
        await repository.store(
            session,
            {
                "computed_at": now(),
                "log_position": position,
                "judgements": len(log),
                "fingerprint": ground.fingerprint,
                "settings": record["settings"],
                "left_out": list(ground.left_out),
                "software": software_version(),
                "record": record,
                "groups": {one["person"]: one["group"] for one in record["persons"] if one["group"] is not None},
            },
        )
        await repository.prune(session, KEEP)
        return await repository.find(session, position, ground.fingerprint)


def rated(log: list[Judgement], settings: RatingSettings) -> Record:
    """The CPU work, done in another process."""
    return ratings_record(rate(log, settings))
