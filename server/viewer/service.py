"""Matches as researchers find and read them: the list, who sat where, and what is known beyond the moves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from lab.judgements import HUMAN
from server.accounts.models import Person
from server.base.clock import now
from server.base.errors import NotFound
from server.judgements.models import JudgementRow
from server.judgements.repository import as_judgement
from server.live.models import Match, MatchDecision, MatchSeat
from server.programs.service import Programs
from server.questionnaires.models import Answer, Sheet
from server.rules.service import open_game
from server.viewer.explaining import Decisions, Member, Played, explain
from server.viewer.schemas import Judged, Notes

PAGE = 50


@dataclass(frozen=True)
class Listed:
    """A match in the list."""

    id: int
    game: str
    started_at: datetime
    ended_at: datetime | None
    moves: int
    seats: list[str]
    judgements: int
    simulated: bool


async def matches(session: AsyncSession, *, strategy: str = "", before: int | None = None) -> list[Listed]:
    """The newest matches, or those older than one; only those with a strategy if it is named."""
    judged = select(func.count()).where(JudgementRow.match_id == Match.id).correlate(Match).scalar_subquery()
    query = select(Match, judged).options(selectinload(Match.seats)).order_by(Match.id.desc()).limit(PAGE)
    if before is not None:
        query = query.where(Match.id < before)
    if strategy:
        query = query.where(Match.id.in_(select(MatchSeat.match_id).where(MatchSeat.strategy == strategy)))
    return [
        Listed(
            match.id,
            match.game,
            match.starts_at,
            match.ended_at,
            match.ply,
            [HUMAN if seat.person_id is not None else seat.strategy or HUMAN for seat in match.seats],
            count,
            match.simulated,
        )
        for match, count in await session.execute(query)
    ]


async def sitters(session: AsyncSession, match_id: int) -> dict[int, str]:
    """The pseudonyms of the persons at the table, by seat."""
    query = select(MatchSeat.seat, Person.pseudonym).join(Person, Person.id == MatchSeat.person_id)
    return {row.seat: row.pseudonym for row in await session.execute(query.where(MatchSeat.match_id == match_id))}


async def notes(session: AsyncSession, programs: Programs, match_id: int) -> Notes:
    """What is known of a match beyond its moves. Decisions that nobody had stored yet are stored now."""
    query = select(Match).where(Match.id == match_id).options(selectinload(Match.seats), selectinload(Match.moves))
    match = await session.scalar(query)
    if match is None:
        raise NotFound
    game = await open_game(session, match.game)
    stored = await session.scalars(select(MatchDecision).where(MatchDecision.match_id == match_id))
    played = Played(
        game=match.game,
        source=game.source,
        secrets=game.secrets,
        members=[Member(member["player"], member["name"], member["seed"]) for member in match.panel],
        seated={seat.seat: seat.member for seat in match.seats if seat.member is not None},
        moves=[(move.move, move.source) for move in match.moves],
        stored={(row.ply, row.seat): row.decision for row in stored},
    )
    found = await explain(programs, played)
    if found.computed:
        await session.execute(insert(MatchDecision).on_conflict_do_nothing(), _rows(match_id, played, found.computed))
    return Notes(explained=found.explained, alternatives=found.alternatives, judged=await _judged(session, match_id))


def _rows(match_id: int, played: Played, computed: Decisions) -> list[dict[str, Any]]:
    return [
        {
            "match_id": match_id,
            "ply": ply,
            "seat": seat,
            "player": played.members[played.seated[seat]].name,
            "decision": decision,
            "at": now(),
        }
        for (ply, seat), decision in computed.items()
    ]


async def _judged(session: AsyncSession, match_id: int) -> list[Judged]:
    aims = (
        select(Answer.value)
        .join(Sheet, Sheet.id == Answer.sheet_id)
        .where(
            Sheet.match_id == JudgementRow.match_id,
            Sheet.person_id == JudgementRow.person_id,
            Answer.item == "aim",
            Answer.seat == JudgementRow.seat,
        )
        .order_by(Answer.id.desc())
        .limit(1)
        .correlate(JudgementRow)
        .scalar_subquery()
    )
    query = (
        select(JudgementRow, Person.pseudonym, aims)
        .join(Person, Person.id == JudgementRow.person_id)
        .where(JudgementRow.match_id == match_id)
        .order_by(JudgementRow.seat, JudgementRow.id)
    )
    return [
        Judged(
            seat=row.seat,
            judge=pseudonym,
            verdict=row.verdict,
            sureness=row.sureness,
            right=as_judgement(row, pseudonym).right,
            aim=aim if isinstance(aim, str) else None,
            marked_ply=row.marked_ply,
        )
        for row, pseudonym, aim in await session.execute(query)
    ]
