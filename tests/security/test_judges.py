"""A program that judges is right more often than people are: researchers are told."""

from __future__ import annotations

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Person
from server.base.clock import now
from server.falsifiers.service import signs_of
from server.judgements.models import JudgementRow
from tests.server.questionnaires.conftest import played_match


@pytest.mark.parametrize(("wrong", "flagged"), [(0, ["right_too_often"]), (12, [])])
async def test_who_is_right_too_often_is_flagged(session: AsyncSession, wrong: int, flagged: list[str]) -> None:
    judge, other = (Person(pseudonym=name, created_at=now()) for name in ("judge", "other"))
    session.add_all([judge, other])
    await session.flush()
    for number in range(30):
        match = await played_match(session, judge, other)
        for seat, verdict in ((1, "artificial"), (2, "human" if number < wrong else "artificial")):
            session.add(
                JudgementRow(
                    match_id=match.id,
                    game="jostle:standard",
                    person_id=judge.id,
                    seat=seat,
                    strategy="PALS",
                    verdict=verdict,
                )
            )
    await session.flush()
    assert [sign.name for sign in await signs_of(session, judge.id)] == flagged
