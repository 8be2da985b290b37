"""From a match to judgements: opening, saving, finishing, skipping and closing a sheet."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Person
from server.base.clock import ManualClock, now
from server.base.errors import Conflict, Forbidden, InvalidInput, NotFound
from server.judgements.models import JudgementRow
from server.judgements.repository import read_log
from server.live.models import Match, MatchSeat
from server.questionnaires import repository, service
from server.questionnaires.models import Answer, QuestionnaireVersion, Sheet
from tests.server.questionnaires.conftest import PlayedMatch, played_match


async def answer_all(session: AsyncSession, sheet: Sheet, verdict: str = "artificial") -> None:
    for seat in sheet.seats:
        await service.save_answer(session, sheet, "verdict", seat, verdict)
        await service.save_answer(session, sheet, "sureness", seat, 80)
        await service.save_answer(session, sheet, "challenge", seat, "not_challenging")
    await service.save_answer(session, sheet, "enjoyment", None, "rather")


async def test_a_finished_sheet_becomes_one_judgement_per_other_seat(
    session: AsyncSession, played: PlayedMatch
) -> None:
    sheet = await service.open_sheet(session, played.first, played.id)
    assert sheet.seats == [1, 2]
    await answer_all(session, sheet)
    await service.save_answer(session, sheet, "telling_move", 1, 1)
    assert await service.finish(session, sheet) == []
    program, person = (await session.scalars(select(JudgementRow).order_by(JudgementRow.seat))).all()
    assert (program.strategy, program.verdict, program.sureness, program.challenge, program.enjoyment) == (
        "Observing PALS", "artificial", 80, "not", 4,
    )  # fmt: skip
    assert program.marked_ply == 1
    assert (person.strategy, person.seat, person.marked_ply) == (None, 2, None)
    assert [judgement.seat_truth for judgement in await read_log(session, "jostle:standard")] == [
        "Observing PALS",
        "human",
    ]


async def test_finishing_twice_is_finishing_once(session: AsyncSession, played: PlayedMatch) -> None:
    sheet = await service.open_sheet(session, played.first, played.id)
    await answer_all(session, sheet)
    assert await service.finish(session, sheet) == []
    assert await service.finish(session, sheet) == []
    assert await session.scalar(select(func.count()).select_from(JudgementRow)) == 2


async def test_what_is_missing_is_named_and_nothing_is_closed(session: AsyncSession, played: PlayedMatch) -> None:
    sheet = await service.open_sheet(session, played.first, played.id)
    await service.save_answer(session, sheet, "verdict", 1, "human")
    lacking = await service.finish(session, sheet)
    assert ("verdict", 2) in lacking
    assert ("verdict", 1) not in lacking
    assert sheet.is_open


async def test_the_newest_answer_counts_and_every_answer_is_kept(session: AsyncSession, played: PlayedMatch) -> None:
    sheet = await service.open_sheet(session, played.first, played.id)
    for verdict in ("human", "human", "artificial", None):
        await service.save_answer(session, sheet, "verdict", 1, verdict)
    assert await repository.current_answers(session, sheet.id) == {}
    kept = await session.scalars(select(Answer.value).where(Answer.sheet_id == sheet.id).order_by(Answer.id))
    assert list(kept) == ["human", "artificial", None], "repeating an answer adds nothing"


@pytest.mark.parametrize(
    ("item", "seat", "value"),
    [
        ("verdict", 0, "human"),  # the own seat
        ("verdict", None, "human"),  # no seat
        ("verdict", 1, "martian"),
        ("sureness", 1, 101),
        ("sureness", 1, True),
        ("enjoyment", 1, "rather"),  # belongs to the match
        ("nothing", None, "x"),
    ],
)
async def test_an_answer_that_does_not_fit_is_refused(
    session: AsyncSession, played: PlayedMatch, item: str, seat: int | None, value: object
) -> None:
    sheet = await service.open_sheet(session, played.first, played.id)
    with pytest.raises(InvalidInput, match=item):
        await service.save_answer(session, sheet, item, seat, value)
    assert await repository.current_answers(session, sheet.id) == {}


async def test_only_who_played_and_stayed_is_asked(session: AsyncSession, played: PlayedMatch) -> None:
    stranger = Person(pseudonym="stranger", created_at=now())
    session.add(stranger)
    await session.flush()
    with pytest.raises(NotFound):
        await service.open_sheet(session, stranger.id, played.id)
    seat = await session.get_one(MatchSeat, (played.id, 0))
    seat.replaced_at = now()
    with pytest.raises(Forbidden):
        await service.open_sheet(session, played.first, played.id)


@pytest.mark.parametrize("replaced", [(), (0,)])
async def test_a_sheet_asks_about_every_other_seat_and_does_not_tell_who_was_replaced(
    session: AsyncSession, played: PlayedMatch, replaced: tuple[int, ...]
) -> None:
    """Were a person's seat left out after a stand-in took it, whoever is asked about would have to be a program."""
    for number in replaced:
        seat = await session.get_one(MatchSeat, (played.id, number))
        seat.replaced_at, seat.strategy, seat.member = now(), "Observing PALS", 0
    sheet = await service.open_sheet(session, played.second, played.id)
    assert sheet.seats == [0, 1]
    await answer_all(session, sheet)
    assert await service.finish(session, sheet) == [], "both are answered about alike"
    judged = set(await session.scalars(select(JudgementRow.seat).where(JudgementRow.match_id == played.id)))
    assert judged == {0, 1} - set(replaced), "what is said about half a person is no judgement"


async def test_a_match_is_asked_about_for_a_day(session: AsyncSession, played: PlayedMatch) -> None:
    match = await session.get_one(Match, played.id)
    assert {one.person for one in await service.judges(session, [played.id])} == {played.first, played.second}
    match.ended_at = now() - service.OFFERED
    await session.flush()
    with pytest.raises(Conflict):
        await service.open_sheet(session, played.first, played.id)
    assert await service.judges(session, [played.id]) == set()


async def test_a_running_match_is_not_asked_about(session: AsyncSession) -> None:
    running = await played_match(session, ended=False)
    with pytest.raises(Conflict):
        await service.open_sheet(session, running.first, running.id)


async def test_skipping_is_offered_from_the_third_time_on(session: AsyncSession) -> None:
    one, other = Person(pseudonym="one", created_at=now()), Person(pseudonym="other", created_at=now())
    for number in range(3):
        played = await played_match(session, one, other)
        sheet = await service.open_sheet(session, one.id, played.id)
        if number < 2:
            with pytest.raises(Forbidden):
                await service.skip(session, sheet)
            await answer_all(session, sheet)
            await service.finish(session, sheet)
        else:
            await service.skip(session, sheet)
            assert sheet.skipped_at is not None
    assert await session.scalar(select(func.count()).select_from(JudgementRow)) == 4, "a skipped sheet judges nobody"


async def test_a_sheet_closes_with_the_day_and_keeps_what_was_answered(
    session: AsyncSession, played: PlayedMatch, clock: ManualClock
) -> None:
    sheet = await service.open_sheet(session, played.first, played.id)
    await service.save_answer(session, sheet, "verdict", 1, "human")
    assert await service.close_overdue(session) == 0
    clock.advance(timedelta(hours=28))
    with pytest.raises(Conflict):
        await service.save_answer(session, sheet, "verdict", 2, "human")
    assert await service.close_overdue(session) == 1
    assert await service.close_overdue(session) == 0
    (judged,) = (await session.scalars(select(JudgementRow))).all()
    assert (judged.seat, judged.verdict, judged.enjoyment) == (1, "human", None)


async def test_a_late_player_still_has_time() -> None:
    almost_midnight = now().replace(hour=23, minute=50)
    assert service.closing_time(almost_midnight) == almost_midnight + timedelta(hours=3)


async def test_the_database_itself_keeps_published_versions(session: AsyncSession) -> None:
    version = await repository.published(session, "after_match")
    await session.commit()
    version_id = version.id
    version.content = {**version.content, "title": {"en": "changed", "de": "geändert"}}
    with pytest.raises(DBAPIError, match="was published and cannot be changed"):
        await session.flush()
    await session.rollback()
    await session.delete(await session.get_one(QuestionnaireVersion, version_id))
    with pytest.raises(DBAPIError, match="cannot be deleted"):
        await session.flush()
