"""The matches of a person, newest first, as the person may know them: nothing here depends on who the others were."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import and_, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.clock import now
from server.live.models import Match, MatchSeat
from server.questionnaires.models import Sheet
from server.questionnaires.service import OFFERED

PAGE: Final = 20

Result = Literal["won", "shared", "lost", "nobody", "left", "running"]
Asked = Literal["open", "answered", "over"]


@dataclass(frozen=True, slots=True)
class OwnMatch:
    id: int
    game: str
    started_at: datetime
    seat: int
    scores: list[int]
    result: Result
    asked: Asked | None
    """How it is with the questionnaire; None if there is none."""
    open_until: datetime | None


async def own_matches(session: AsyncSession, person_id: int, before: int | None = None) -> list[OwnMatch]:
    """A page of them, and one more if there are further ones."""
    about = and_(Sheet.match_id == Match.id, Sheet.person_id == person_id)
    query = (
        select(Match, MatchSeat, Sheet)
        .join(MatchSeat, and_(MatchSeat.match_id == Match.id, MatchSeat.person_id == person_id))
        .outerjoin(Sheet, about)
        .order_by(Match.id.desc())
        .limit(PAGE + 1)
    )
    if before is not None:
        query = query.where(Match.id < before)
    return [_told(match, seat, sheet) for match, seat, sheet in await session.execute(query)]


def _told(match: Match, seat: MatchSeat, sheet: Sheet | None) -> OwnMatch:
    asked, until = _asked(match, seat, sheet)
    return OwnMatch(
        id=match.id,
        game=match.game,
        started_at=match.starts_at,
        seat=seat.seat,
        scores=match.scores or [],
        result=_result(match, seat),
        asked=asked,
        open_until=until,
    )


def _result(match: Match, seat: MatchSeat) -> Result:
    if seat.replaced_at is not None:
        return "left"
    if match.ended_at is None:
        return "running"
    winners = match.winners or []
    if seat.seat in winners:
        return "shared" if len(winners) > 1 else "won"
    return "lost" if winners else "nobody"


def _asked(match: Match, seat: MatchSeat, sheet: Sheet | None) -> tuple[Asked | None, datetime | None]:
    if match.ended_at is None or seat.replaced_at is not None:
        return None, None
    if sheet is None:
        until: datetime | None = match.ended_at + OFFERED
    elif sheet.finished_at is not None:
        return "answered", None
    else:
        until = sheet.closes_at if sheet.is_open else None
    return ("open", until) if until is not None and until > now() else ("over", None)
