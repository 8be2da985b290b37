"""Days that are kept for the overviews say what the tables say, and are forgotten when the past is written anew."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lab.intervals import wilson
from lab.turing import Share, answers, clustered_share
from server.base.clock import now
from server.dashboards import results, schemas
from server.dashboards.days import forget, gaps, keep_days
from server.dashboards.filters import Filter, end_of, start_of
from server.dashboards.overview import overview
from server.questionnaires import repository as questionnaires
from server.storage.database import Database
from tests.server.dashboards.study import BEGIN, GAME

PARTS = [
    Filter(),
    Filter(since=date(2026, 9, 3), until=date(2026, 9, 7)),
    Filter(since=date(2026, 9, 5), until=date(2026, 9, 6)),
    Filter(group="0"),
    Filter(group="1", since=date(2026, 9, 2)),
    Filter(game="jostle:standard"),
    Filter(game="ten"),
]


async def seen(session: AsyncSession, database: Database, chosen: Filter) -> dict[str, Any]:
    return (await overview(session, database, chosen)).model_dump(exclude={"updated_at", "until"})


async def number(database: Database) -> int:
    found: int = await database.pool.fetchval("SELECT count(*) FROM overview_days WHERE game = ''")
    return found


async def test_overviews_are_the_same_with_and_without_kept_days(session: AsyncSession, database: Database) -> None:
    plain = [await seen(session, database, part) for part in PARTS]
    assert await keep_days(database, now()) > 4
    assert await keep_days(database, now()) == 0
    kept = [await seen(session, database, part) for part in PARTS]
    again = [await seen(session, database, part) for part in PARTS]  # from memory
    assert plain == kept == again


async def test_counts_are_those_of_the_plain_queries(session: AsyncSession, database: Database) -> None:
    await keep_days(database, now())
    totals = (await overview(session, database, Filter(group="0"))).totals
    await session.execute(
        text(
            """CREATE TEMPORARY TABLE own AS
               SELECT p.id AS person_id FROM persons p JOIN rating_snapshots r ON (r.groups ->> p.pseudonym)::int = 0"""
        )
    )
    for counted, query in {
        totals.judgements: "SELECT count(*) FROM judgements JOIN own USING (person_id)",
        totals.matches: "SELECT count(DISTINCT match_id) FROM match_seats JOIN own USING (person_id)",
        totals.questionnaires: """SELECT count(*) FROM questionnaire_sheets JOIN own USING (person_id)
                                  WHERE match_id IS NOT NULL""",
    }.items():
        assert counted == await session.scalar(text(query)) > 0
    waited = """SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY (details ->> 'waited_ms')::float / 1000)
                FROM match_events JOIN match_seats USING (match_id, seat) JOIN own USING (person_id)
                WHERE kind = 'seated'"""
    assert totals.wait_median == pytest.approx(await session.scalar(text(waited)))


async def newest_answers(session: AsyncSession) -> dict[tuple[int, int | None], dict[str, Any]]:
    """By sheet and seat, the plain way: the answers that count, and under "person" who gave them."""
    rows = await session.execute(
        text(
            """SELECT a.sheet_id, a.seat, a.item, a.value, q.person_id
               FROM answers a JOIN questionnaire_sheets q ON q.id = a.sheet_id
               WHERE q.match_id IS NOT NULL ORDER BY a.id"""
        )
    )
    found: dict[tuple[int, int | None], dict[str, Any]] = {}
    for sheet, seat, item, value, person in rows:
        found.setdefault((sheet, seat), {"person": str(person)})[item] = value
    return found


async def test_results_of_questionnaires_are_the_same_with_and_without_kept_days(
    session: AsyncSession, database: Database
) -> None:
    version = await questionnaires.published(session, "after_match")
    plain = await results.distributions(session, version, GAME.reference)
    crossed = await results.cross_table(session, version, GAME.reference, "verdict", "enjoyment")
    await keep_days(database, now())
    for _ in ("read", "remembered"):
        assert await results.distributions(session, version, GAME.reference) == plain
        assert await results.cross_table(session, version, GAME.reference, "verdict", "enjoyment") == crossed
    assert crossed is not None
    turned = await results.cross_table(session, version, GAME.reference, "enjoyment", "verdict")
    assert turned is not None
    assert [list(column) for column in zip(*(row for _, row in turned.rows), strict=True)] == [
        row for _, row in crossed.rows
    ]
    itself = await results.cross_table(session, version, GAME.reference, "verdict", "verdict")
    verdicts = next(one for one in plain if one.item.key == "verdict")
    assert itself is not None
    assert [row[place] for place, (_, row) in enumerate(itself.rows)] == [bar.total for bar in verdicts.bars]


def same(shown: schemas.Share, truth: Share) -> bool:
    told = (shown.share, shown.low, shown.high)
    return shown.of == truth.judgements and told == pytest.approx(
        (truth.share, truth.interval.low, truth.interval.high)
    )


async def test_intervals_of_results_are_those_of_the_persons_answers(session: AsyncSession, database: Database) -> None:
    """From packed days, held against every single answer summed by person in the plain way."""
    await keep_days(database, now())
    given = await newest_answers(session)
    version = await questionnaires.published(session, "after_match")
    by_item = {one.item.key: one for one in await results.distributions(session, version, GAME.reference)}
    for item, place, option in (("verdict", 0, "human"), ("challenge", 1, "somewhat"), ("enjoyment", 4, "very")):
        said = [(one["person"], one[item] == option) for one in given.values() if one.get(item) is not None]
        truth, bar = clustered_share(answers(said)), by_item[item].bars[place]
        assert by_item[item].persons == truth.judges
        assert same(bar.share, truth)
        assert 0 < bar.of_humans < bar.total or item == "enjoyment"
    sure = [one["sureness"] for one in given.values() if one.get("sureness") is not None]
    mean = by_item["sureness"].mean
    assert mean is not None
    assert mean.mean == pytest.approx(sum(sure) / len(sure))
    crossed = await results.cross_table(session, version, GAME.reference, "verdict", "enjoyment")
    assert crossed is not None
    both = [
        (one["person"], given[sheet, None]["enjoyment"] == "rather")
        for (sheet, seat), one in given.items()
        if seat is not None and one.get("verdict") == "human" and given.get((sheet, None), {}).get("enjoyment")
    ]
    truth, share = clustered_share(answers(both)), crossed.shares[0][1][3]
    assert same(share, truth)
    naive = wilson(sum(yes for _, yes in both), len(both))
    assert share.high - share.low > naive.high - naive.low


async def test_days_that_were_kept_without_persons_are_kept_anew(session: AsyncSession, database: Database) -> None:
    version = await questionnaires.published(session, "after_match")
    days = await keep_days(database, now())
    plain = await results.distributions(session, version, GAME.reference)
    await database.pool.execute("UPDATE overview_days SET answer_givers = NULL, pair_givers = NULL")
    assert await results.distributions(session, version, GAME.reference) == plain, "from the tables"
    assert await keep_days(database, now()) == days
    assert await results.distributions(session, version, GAME.reference) == plain
    async with database.pool.acquire() as connection, connection.transaction():
        await forget(connection)
        await connection.execute(
            "DELETE FROM answers WHERE id = (SELECT max(id) FROM answers WHERE item = 'enjoyment')"
        )
    assert (await results.distributions(session, version, GAME.reference))[-1].answered == plain[-1].answered - 1
    await keep_days(database, now())
    assert (await results.distributions(session, version, GAME.reference))[-1].answered == plain[-1].answered - 1


async def test_a_day_is_kept_when_nothing_of_it_can_change(database: Database) -> None:
    day = BEGIN + timedelta(days=2)
    open_again = """UPDATE questionnaire_sheets SET finished_at = NULL, skipped_at = NULL, closed_at = NULL
                    WHERE id = (SELECT min(id) FROM questionnaire_sheets
                                WHERE match_id IS NOT NULL AND opened_at >= $1)"""
    await database.pool.execute(open_again, start_of(day.date()))
    await keep_days(database, start_of(day.date() + timedelta(days=3)))
    days = {row["day"] for row in await database.pool.fetch("SELECT DISTINCT day FROM overview_days")}
    assert day.date() - timedelta(days=1) in days
    assert day.date() not in days
    assert day.date() + timedelta(days=1) in days
    assert max(days) == day.date() + timedelta(days=1), "the last day has not settled"


async def test_who_writes_into_the_past_makes_all_days_forgotten(session: AsyncSession, database: Database) -> None:
    await keep_days(database, now())
    before = (await overview(session, database, Filter())).totals.judgements
    async with database.pool.acquire() as connection, connection.transaction():
        await forget(connection)
        await connection.execute("DELETE FROM judgements WHERE id = (SELECT max(id) FROM judgements)")
    assert (await overview(session, database, Filter())).totals.judgements == before - 1
    assert await number(database) == 0
    await keep_days(database, now())
    assert (await overview(session, database, Filter())).totals.judgements == before - 1


def test_gaps_and_kept_days_cover_the_span() -> None:
    first = start_of(date(2026, 9, 1))
    since, until = first + timedelta(hours=7), first + timedelta(days=6, hours=3)
    kept = [date(2026, 9, 2), date(2026, 9, 3), date(2026, 9, 5)]
    assert gaps(since, until, kept) == [
        (since, start_of(kept[0])),
        (end_of(kept[1]), start_of(kept[2])),
        (end_of(kept[2]), until),
    ]
    assert gaps(since, until, []) == [(since, until)]
    assert gaps(first, first + timedelta(days=1), [first.date()]) == []
