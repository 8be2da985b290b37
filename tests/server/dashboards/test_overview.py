"""The overview counts what happened, by period and filter, and gives its shares with intervals."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.errors import NotFound
from server.dashboards.filters import Filter
from server.dashboards.overview import overview
from server.dashboards.periods import LENGTHS, Unit, periods, unit_for
from server.storage.database import Database
from tests.conftest import SignIn
from tests.server.dashboards.study import BEGIN
from tests.servers import PageClient


async def count(session: AsyncSession, query: str) -> int:
    found: int = await session.scalar(text(query)) or 0
    return found


async def test_totals_are_those_of_the_tables(session: AsyncSession, database: Database) -> None:
    seen = await overview(session, database, Filter())
    assert seen.totals.matches == await count(session, "SELECT count(*) FROM matches")
    assert seen.totals.judgements == await count(session, "SELECT count(*) FROM judgements")
    assert seen.totals.probands == await count(session, "SELECT count(*) FROM persons")
    finished = await count(session, "SELECT count(*) FROM questionnaire_sheets WHERE finished_at IS NOT NULL")
    assert sum(one.finished for one in seen.periods) == finished
    replaced = "SELECT count(DISTINCT match_id) FROM match_seats WHERE replaced_at IS NOT NULL"
    stand_ins = seen.totals.stand_ins
    assert stand_ins.share == pytest.approx(await count(session, replaced) / seen.totals.matches)
    assert stand_ins.share is not None
    assert stand_ins.low < stand_ins.share < stand_ins.high


async def test_researchers_are_no_probands(session: AsyncSession, database: Database, sign_in: SignIn) -> None:
    before = (await overview(session, database, Filter())).totals.probands
    await sign_in("researcher")
    await sign_in("proband")
    assert (await overview(session, database, Filter())).totals.probands == before + 1


async def test_days_without_matches_are_shown_too(session: AsyncSession, database: Database) -> None:
    seen = await overview(session, database, Filter(since=date(2026, 8, 20), until=date(2026, 9, 10)))
    assert [one.at for one in seen.periods] == [
        datetime(2026, 8, 20, tzinfo=UTC) + timedelta(days=n) for n in range(22)
    ]
    assert seen.periods[0].matches == 0
    assert seen.periods[0].stand_ins.share is None
    assert seen.totals.matches == sum(one.matches for one in seen.periods) > 0


async def test_parts_of_the_study_add_up(session: AsyncSession, database: Database) -> None:
    day = (BEGIN + timedelta(days=5)).date()
    everything = (await overview(session, database, Filter())).totals
    before = (await overview(session, database, Filter(until=day))).totals
    after = (await overview(session, database, Filter(since=day + timedelta(days=1)))).totals
    assert before.matches + after.matches == everything.matches
    assert before.judgements + after.judgements == everything.judgements


async def test_a_group_is_a_part_of_everybody(session: AsyncSession, database: Database) -> None:
    everything = (await overview(session, database, Filter())).totals
    group = (await overview(session, database, Filter(group="0"))).totals
    nobody = (await overview(session, database, Filter(group="99"))).totals
    assert 0 < group.judgements <= everything.judgements
    assert (nobody.judgements, nobody.matches, nobody.probands) == (0, 0, 0)


async def test_a_game_that_nobody_plays_has_no_matches(session: AsyncSession, database: Database) -> None:
    totals = (await overview(session, database, Filter(game="ten"))).totals
    assert (totals.matches, totals.judgements, totals.questionnaires) == (0, 0, 0)
    assert totals.wait_median is None


async def test_the_round_of_now_is_shown_and_an_unknown_one_refused(session: AsyncSession, database: Database) -> None:
    seen = await overview(session, database, Filter())
    assert seen.round is not None
    assert (seen.round.name, seen.round.status) == ("Autumn", "running")
    assert (await overview(session, database, Filter(round=str(seen.round.id)))).totals.matches == seen.totals.matches
    with pytest.raises(NotFound):
        await overview(session, database, Filter(round="12345"))


async def test_generations_of_a_round_are_parts_of_it(session: AsyncSession, database: Database) -> None:
    seen = await overview(session, database, Filter())
    assert seen.round is not None
    names = [f"{seen.round.id}.{generation}" for generation in range(seen.round.step + 1)]
    parts = [await overview(session, database, Filter(round=name)) for name in names]
    assert sum(part.totals.matches for part in parts) == seen.totals.matches
    assert all(earlier.until == later.since for earlier, later in pairwise(parts))
    with pytest.raises(NotFound):
        await overview(session, database, Filter(round=f"{seen.round.id}.99"))


async def test_an_answer_of_the_profile_makes_a_group(session: AsyncSession, database: Database) -> None:
    everything = (await overview(session, database, Filter())).totals
    women = (await overview(session, database, Filter(group="gender:female"))).totals
    assert 0 < women.judgements < everything.judgements
    assert (await overview(session, database, Filter(group="gender:nobody"))).totals.judgements == 0


async def test_stages_only_get_smaller(session: AsyncSession, database: Database) -> None:
    stages = {one.name: one.persons for one in (await overview(session, database, Filter())).stages}
    assert stages["registered"] >= stages["confirmed"] >= stages["judged"]
    assert stages["played"] >= stages["came_back"] >= stages["ten_matches"]


async def test_a_page_and_its_data_say_the_same(client: PageClient, sign_in: SignIn) -> None:
    await sign_in("researcher")
    page = await client.get("/research?since=2026-09-01&until=&round=&game=jostle&group=")
    data = (await client.get("/api/research/overview?since=2026-09-01&game=jostle")).json()
    assert page.status_code == 200
    assert f'data-total="matches">{data["totals"]["matches"]}<' in page.text


@pytest.mark.parametrize("wrong", ["since=yesterday", "since=0001-01-01", "until=9999-12-31", "game=%00", "group=-1"])
async def test_a_filter_that_makes_no_sense_is_refused(client: PageClient, sign_in: SignIn, wrong: str) -> None:
    await sign_in("researcher")
    assert (await client.get(f"/api/research/overview?{wrong}")).status_code == 422


@given(
    st.datetimes(datetime(100, 1, 1), datetime(8999, 12, 31), timezones=st.just(UTC)),  # noqa: DTZ001 - it asks for these
    st.timedeltas(timedelta(hours=1), timedelta(days=900)),
)
def test_periods_cover_a_span_without_gaps(first: datetime, span: timedelta) -> None:
    unit = unit_for(span)
    found = list(periods(first, first + span, unit))
    assert found[0] <= first < found[0] + LENGTHS[unit]
    assert found[-1] < first + span <= found[-1] + LENGTHS[unit]
    assert all(later - earlier == LENGTHS[unit] for earlier, later in pairwise(found))
    assert len(found) <= 140
    assert unit is not Unit.WEEK or all(one.weekday() == 0 for one in found)


@pytest.mark.parametrize(
    "address",
    [
        "/research?since=&until=&round=&game=&group=",
        "/research/persons?name=&group=&order=ability",
        "/research/persons?name=red&group=0&order=person&experts=true&page=3",
    ],
)
async def test_forms_may_be_sent_half_empty(client: PageClient, sign_in: SignIn, address: str) -> None:
    await sign_in("researcher")
    assert (await client.get(address)).status_code == 200
