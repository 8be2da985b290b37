"""Filling in a questionnaire: opened after a match, saved answer by answer, finished, skipped, or closed by time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.clock import now
from server.base.errors import N_, Conflict, Forbidden, GrintuError, InvalidInput, NotFound
from server.judgements import repository as judgements
from server.live.models import Match, MatchSeat
from server.live.records.judging import Judge, asks_judges
from server.questionnaires import repository
from server.questionnaires.content import AnswerError, AnswerKey, Questionnaire, is_asked, missing
from server.questionnaires.models import Answer, Sheet
from server.study.settings import read_settings

AT_LEAST_OPEN: Final = timedelta(hours=3)
OFFERED: Final = timedelta(days=1)
"""So long after a match its questionnaire can be opened: a phone may go dark at the very end."""
MOST_ANSWERS: Final = 2000
"""On one sheet, all changes counted: every change is kept, and a program could change an answer for ever."""
# The option keys of a questionnaire are identifiers; the log speaks lab's words.
VERDICT_WORDS: Final = {"cannot_tell": "cannot tell"}
CHALLENGE_WORDS: Final = {"not_challenging": "not"}


def content(sheet: Sheet) -> Questionnaire:
    return Questionnaire.model_validate(sheet.version.content)


def closing_time(opened: datetime) -> datetime:
    """The end of the day, but never so soon that a late player could not finish."""
    midnight = opened.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return max(midnight, opened + AT_LEAST_OPEN)


async def open_sheet(session: AsyncSession, person_id: int, match_id: int) -> Sheet:
    """The person's sheet about a match that has ended; opened at the first call, the same one ever after."""
    sheet = await repository.sheet_about(session, person_id, match_id)
    if sheet is not None:
        return sheet
    seats = list(await session.scalars(select(MatchSeat).where(MatchSeat.match_id == match_id)))
    own = next((seat for seat in seats if seat.person_id == person_id), None)
    if own is None:
        raise NotFound
    ended = await session.scalar(select(Match.ended_at).where(Match.id == match_id))
    if ended is None:
        raise Conflict(N_("The match is not over yet."))
    if own.replaced_at is not None:
        raise Forbidden(N_("You left this match before it ended, so there is nothing to answer about it."))
    at = now()
    if ended <= at - OFFERED:
        raise Conflict(N_("The time to answer about this match is over."))
    version = await repository.published(session, "after_match")
    await session.execute(
        insert(Sheet)
        .values(
            version_id=version.id,
            person_id=person_id,
            match_id=match_id,
            # Of those who were replaced, too: a seat that is left out would tell that the others were no persons.
            seats=sorted(seat.seat for seat in seats if seat is not own),
            opened_at=at,
            closes_at=closing_time(at),
        )
        .on_conflict_do_nothing()
    )
    opened = await repository.sheet_about(session, person_id, match_id)
    assert opened is not None, "it was inserted just now, by us or by another tab"
    return opened


async def save_answer(
    session: AsyncSession, sheet: Sheet, item: str, seat: int | None, value: object, shown_ms: int | None = None
) -> dict[AnswerKey, Any]:
    """Append one answer; None takes the last one back. What does not fit the item is refused and changes nothing.

    Gives what counts now.
    """
    require_open(sheet)
    filling = Filling(content(sheet), sheet, *await repository.answers_and_rows(session, sheet.id))
    session.add_all(filling.put(item, seat, value, shown_ms))
    await session.flush()
    return filling.answers


async def save_answers(
    session: AsyncSession, sheet: Sheet, given: Iterable[tuple[str, int | None, object]]
) -> dict[AnswerKey, GrintuError]:
    """Append many answers (item, seat, value). Gives what was refused, and why; the others are saved all the same."""
    require_open(sheet)
    filling = Filling(content(sheet), sheet, *await repository.answers_and_rows(session, sheet.id))
    refused: dict[AnswerKey, GrintuError] = {}
    for item, seat, value in given:
        try:
            session.add_all(filling.put(item, seat, value))
        except GrintuError as error:
            refused[item, seat] = error
    await session.flush()
    return refused


@dataclass
class Filling:
    """A sheet while answers are put into it: what counts so far, and how many rows it has."""

    questionnaire: Questionnaire
    sheet: Sheet
    answers: dict[AnswerKey, Any]
    rows: int

    def put(self, item: str, seat: int | None, value: object, shown_ms: int | None = None) -> list[Answer]:
        """The row to append, none if nothing changes. Raises InvalidInput or Conflict."""
        checked = self._checked(item, seat, value)
        if self.answers.get((item, seat)) == checked:
            return []
        if self.rows >= MOST_ANSWERS:
            raise Conflict(N_("The answers to this questionnaire were changed too often."))
        self.rows += 1
        self.answers.pop((item, seat), None)
        if checked is not None:
            self.answers[item, seat] = checked
        return [Answer(sheet_id=self.sheet.id, item=item, seat=seat, value=checked, shown_ms=shown_ms, at=now())]

    def _checked(self, item: str, seat: int | None, value: object) -> Any:
        """The value as the item keeps it."""
        try:
            asked = self.questionnaire.item(item)
            checked = None if value is None or value == "" else asked.check(value)
        except AnswerError as error:
            raise InvalidInput(str(error)) from error
        if (asked.scope == "seat") != (seat is not None) or (seat is not None and seat not in self.sheet.seats):
            raise InvalidInput(N_("%(item)s: this seat is not asked about."), item=item)
        return checked


async def finish(session: AsyncSession, sheet: Sheet) -> list[AnswerKey]:
    """Close the sheet and write its judgements. Gives the required items that are still missing, else nothing.

    Finishing twice, by a double click or in two tabs, is finishing once.
    """
    if sheet.finished_at is not None:
        return []
    require_open(sheet)
    questionnaire, answers = content(sheet), await repository.current_answers(session, sheet.id)
    if lacking := missing(questionnaire, sheet.seats, answers):
        return lacking
    sheet.finished_at = now()
    await _judge(session, sheet, questionnaire, answers)
    return []


async def may_skip(session: AsyncSession, person_id: int) -> bool:
    return await repository.finished_count(session, person_id) >= (await read_settings(session)).skip_after


async def skip(session: AsyncSession, sheet: Sheet) -> None:
    """Leave the sheet out. Nothing of it becomes a judgement; what was answered stays recorded."""
    if sheet.skipped_at is not None:
        return
    require_open(sheet)
    if not await may_skip(session, sheet.person_id):
        raise Forbidden(N_("Skipping is offered after your second questionnaire."))
    sheet.skipped_at = now()


async def close_overdue(session: AsyncSession, limit: int = 500) -> int:
    """Close the sheets whose day is over. Verdicts that were given count; a closed tab loses nothing."""
    sheets = await repository.overdue_sheets(session, now(), limit)
    for sheet in sheets:
        sheet.closed_at = now()
        await _judge(session, sheet, content(sheet), await repository.current_answers(session, sheet.id))
    return len(sheets)


@asks_judges
async def judges(session: AsyncSession, matches: Collection[int]) -> set[Judge]:
    """Who has played one of these matches to its end, or still plays, and can answer about it."""
    at = now()
    return await repository.judges(session, matches, at, at - OFFERED)


def require_open(sheet: Sheet) -> None:
    if not sheet.is_open or (sheet.closes_at is not None and sheet.closes_at <= now()):
        raise Conflict(N_("This questionnaire is closed."))


async def _judge(
    session: AsyncSession, sheet: Sheet, questionnaire: Questionnaire, given: dict[AnswerKey, Any]
) -> None:
    assert sheet.match_id is not None, "only sheets about a match hold judgements"
    # What was answered before its condition ceased to hold is on record, but is no part of the judgement.
    answers = {
        (item, seat): value for (item, seat), value in given.items() if is_asked(questionnaire.item(item), seat, given)
    }
    measured = {item.measures: item.key for item in questionnaire.items if item.measures}
    mark = next((item.key for item in questionnaire.items if item.type == "move"), None)
    game = (await session.scalars(select(Match.game).where(Match.id == sheet.match_id))).one()
    truth = {
        seat.seat: seat.strategy
        for seat in await session.scalars(select(MatchSeat).where(MatchSeat.match_id == sheet.match_id))
        if seat.replaced_at is None
    }
    rows: list[dict[str, object]] = []
    for seat in sheet.seats:
        verdict = answers.get((measured["verdict"], seat))
        if verdict is None or seat not in truth:  # half a person and half a stand-in: no judgement about either
            continue
        challenge = answers.get((measured.get("challenge", ""), seat))
        rows.append(
            {
                "at": now(),
                "match_id": sheet.match_id,
                "game": game,
                "person_id": sheet.person_id,
                "seat": seat,
                "strategy": truth[seat],
                "verdict": VERDICT_WORDS.get(verdict, verdict),
                "sureness": answers.get((measured.get("sureness", ""), seat)),
                "challenge": challenge and CHALLENGE_WORDS.get(challenge, challenge),
                "enjoyment": _enjoyment(questionnaire, answers),
                "marked_ply": answers.get((mark, seat)) if mark else None,
            }
        )
    await judgements.append(session, rows)


def _enjoyment(questionnaire: Questionnaire, answers: dict[AnswerKey, Any]) -> int | None:
    """The chosen step, 1 (worst) to 5 (best)."""
    item = questionnaire.measuring("enjoyment")
    if item is None or item.type != "choice":
        return None
    chosen = answers.get((item.key, None))
    return None if chosen is None else item.keys().index(chosen) + 1
