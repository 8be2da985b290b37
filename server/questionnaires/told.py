"""What a person has answered, in words, for the page of the own data: the questions as they were asked, the options by
their texts. Only the newest sheets are told; the download has all of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import joinedload

from server.accounts.owndata import tells
from server.live.models import Match
from server.questionnaires import repository, service
from server.questionnaires.content import ChoiceItem, CorrelationItem, CountryItem, Item, Questionnaire, countries
from server.questionnaires.models import Answer, Sheet
from server.rules.service import open_game

NEWEST: Final = 5


@dataclass(frozen=True, slots=True)
class Told:
    """One answer: the question, the seat that it is about, and what was said."""

    question: str
    seat: str | None
    answer: str


@dataclass(frozen=True, slots=True)
class ToldSheet:
    match: int
    at: datetime
    answers: list[Told]


@tells("profile")
async def my_profile(session: AsyncSession, person_id: int, language: str) -> list[Told]:
    sheet = await repository.profile_sheet(session, person_id)
    return [] if sheet is None else await _told(session, sheet, language)


@tells("sheets")
async def my_newest_sheets(session: AsyncSession, person_id: int, language: str) -> list[ToldSheet]:
    answered = select(Answer.id).where(Answer.sheet_id == Sheet.id).exists()
    query = (
        select(Sheet)
        .where(Sheet.person_id == person_id, Sheet.match_id.is_not(None), answered)
        .order_by(Sheet.id.desc())
        .limit(NEWEST)
        .options(joinedload(Sheet.version))
    )
    return [
        ToldSheet(sheet.match_id, sheet.opened_at, await _told(session, sheet, language))
        for sheet in await session.scalars(query)
        if sheet.match_id is not None
    ]


@tells("answered_sheets")
async def number_of_sheets(session: AsyncSession, person_id: int, _: str) -> int:
    """Of those about matches."""
    query = select(func.count()).where(Sheet.person_id == person_id, Sheet.match_id.is_not(None))
    return await session.scalar(query.where(Sheet.finished_at.is_not(None))) or 0


async def _told(session: AsyncSession, sheet: Sheet, language: str) -> list[Told]:
    questionnaire: Questionnaire = service.content(sheet)
    answers = await repository.current_answers(session, sheet.id)
    seats: tuple[str, ...] = ()
    if sheet.match_id is not None:
        game = (await session.scalars(select(Match.game).where(Match.id == sheet.match_id))).one()
        seats = (await open_game(session, game)).texts(language).seats
    order = {item.key: place for place, item in enumerate(questionnaire.items)}
    given = sorted(answers.items(), key=lambda one: (-1 if one[0][1] is None else one[0][1], order.get(one[0][0], 0)))
    return [
        Told(
            questionnaire.item(key).text.in_language(language),
            None if seat is None else seats[seat],
            in_words(questionnaire.item(key), value, language),
        )
        for (key, seat), value in given
    ]


def in_words(item: Item, value: Any, language: str) -> str:
    """An answer as the person gave it: options by their texts, countries by their names."""
    match item:
        case ChoiceItem():
            texts = {option.key: option.text.in_language(language) for option in item.options}
            return ", ".join(texts[key] for key in (value if isinstance(value, list) else [value]))
        case CorrelationItem():
            left = {option.key: option.text.in_language(language) for option in item.left}
            right = {option.key: option.text.in_language(language) for option in item.right}
            return ", ".join(f"{left[one]}: {right[other]}" for one, other in value.items())
        case CountryItem():
            return dict(countries(language)).get(value) or str(value)
    return str(value)
