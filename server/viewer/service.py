"""Computing a program's decisions again from the book: the same code, history and seed give the same explanations."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from games.jostle import JostleGame, JostlePosition
from games.registry import game as game_named
from lab.judgements import HUMAN
from npc.panel import Member, Panel, seat_panel
from npc.players import player
from server.accounts.models import Person
from server.errors import NotFound
from server.judgements.models import JudgementRow
from server.judgements.repository import as_judgement
from server.live.models import Match, MatchSeat
from server.questionnaires.models import Answer, Sheet
from server.viewer.schemas import Alternative, Explained, Judged, Notes

PAGE = 50


@dataclass(frozen=True)
class Listed:
    """A match in the list."""

    id: int
    started_at: datetime
    ended_at: datetime | None
    moves: int
    seats: list[str]
    judgements: int


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
            match.starts_at,
            match.ended_at,
            match.ply,
            [HUMAN if seat.person_id is not None else seat.strategy or HUMAN for seat in match.seats],
            count,
        )
        for match, count in await session.execute(query)
    ]


async def sitters(session: AsyncSession, match_id: int) -> dict[int, str]:
    """The pseudonyms of the persons at the table, by seat."""
    query = select(MatchSeat.seat, Person.pseudonym).join(Person, Person.id == MatchSeat.person_id)
    return {row.seat: row.pseudonym for row in await session.execute(query.where(MatchSeat.match_id == match_id))}


async def notes(session: AsyncSession, match_id: int) -> Notes:
    query = select(Match).where(Match.id == match_id).options(selectinload(Match.seats), selectinload(Match.moves))
    match = await session.scalar(query)
    if match is None:
        raise NotFound
    members = [(member["strategy"], member["seed"]) for member in match.panel]
    seated = {seat.seat: (seat.member, seat.replaced_at) for seat in match.seats if seat.member is not None}
    programs = {seat: member for seat, (member, replaced) in seated.items() if replaced is None}
    moves = [move.move for move in match.moves]
    # Thousands of decisions take a moment: not on the event loop.
    explained, alternatives = await asyncio.to_thread(explain, match.game, members, programs, moves)
    return Notes(explained=explained, alternatives=alternatives, judged=await _judged(session, match_id))


def explain(
    game: str, members: Sequence[Member], programs: dict[int, int], moves: Sequence[str]
) -> tuple[list[Explained], list[Alternative]]:
    """Follow a match with its whole panel. `programs` says which member plays which seat."""
    rules = game_named(game)
    explained: list[Explained] = []
    alternatives: list[Alternative] = []
    if not isinstance(rules, JostleGame) or not members:
        return explained, alternatives
    panel: Panel = seat_panel(rules, members)
    names = [player(text).name for text, _ in members]  # of a rule base the panel has the whole script
    for ply, text in enumerate(moves):
        if is_choice(panel.position):
            decisions = panel.decisions()
            by_move: dict[str, list[str]] = defaultdict(list)
            for name, decision in zip(names, decisions, strict=True):
                by_move[str(decision.move)].append(name)
            alternatives += [Alternative(ply=ply, move=move, strategies=names) for move, names in by_move.items()]
            member = programs.get(panel.position.seat)
            if member is not None:
                decision = decisions[member]
                explained.append(
                    Explained(
                        ply=ply,
                        seat=panel.position.seat,
                        strategy=names[member],
                        words=decision.explanation.words,
                        move=str(decision.move),
                        played=str(decision.move) == text,
                    )
                )
        panel = panel.after(rules.move(text))
    return explained, alternatives


def is_choice(position: JostlePosition) -> bool:
    """Whether a seat is to act and has more than one thing to do."""
    return position.to_act >= 0 and len(position.moves()) > 1


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
