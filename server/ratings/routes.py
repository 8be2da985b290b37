"""Ratings for researchers, as JSON: the snapshot of a game that counts, and computing a new one on demand."""

from __future__ import annotations

from fastapi import APIRouter

from server.accounts.dependencies import Researcher, rationed
from server.base.errors import N_, NotFound
from server.jobs.registry import enqueue
from server.ratings.schemas import Snapshot
from server.ratings.service import latest
from server.ratings.tasks import COMPUTE
from server.study.games import GameOf
from server.web.dependencies import Session

router = APIRouter(prefix="/api/ratings", responses={401: {}, 403: {}}, dependencies=[rationed("study-account")])


@router.get("", responses={404: {}})
async def ratings(session: Session, _: Researcher, game: GameOf) -> Snapshot:
    """The ratings that count now, with the log position and the settings they were computed from."""
    snapshot = await latest(session, game)
    if snapshot is None:
        raise NotFound(N_("There are no ratings yet: nobody has judged."))
    return Snapshot.model_validate(snapshot, from_attributes=True)


@router.post("", status_code=202)
async def compute(session: Session, _: Researcher, game: GameOf) -> None:
    """Compute the ratings now; the job runs in the background."""
    await enqueue(session, COMPUTE, {"game": game}, priority=1)
