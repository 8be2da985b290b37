"""What a person sees of the own part, and when: never so that it tells who was what in a match that still counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Person
from server.base.clock import now
from server.base.settings import Settings
from server.judgements.models import JudgementRow
from server.live.models import Match, MatchSeat
from server.participation.matches import PAGE, own_matches
from server.participation.standing import LEAST, days_in_a_row, standing_of
from server.questionnaires.models import Sheet
from server.questionnaires.repository import published
from server.rounds.models import Round, Status
from server.study.settings import change_setting
from tests.server.questionnaires.conftest import PlayedMatch, as_person, played_match
from tests.servers import PageClient

TODAY = date(2026, 11, 18)


@pytest.mark.parametrize(
    ("ago", "row"),
    [([], 0), ([0], 1), ([1], 1), ([2], 0), ([0, 1, 2], 3), ([1, 2, 4], 2), ([0, 2], 1)],
)
def test_days_in_a_row_end_today_or_yesterday(ago: Sequence[int], row: int) -> None:
    assert days_in_a_row([TODAY - timedelta(days=days) for days in ago], TODAY) == row


async def judged(
    session: AsyncSession, match: PlayedMatch, by: int, seat: int, verdict: str, strategy: str | None
) -> None:
    session.add(
        JudgementRow(
            at=now(),
            match_id=match.id,
            game="jostle:standard",
            person_id=by,
            seat=seat,
            strategy=strategy,
            verdict=verdict,
        )
    )
    await session.flush()


async def history(session: AsyncSession, matches: int) -> tuple[Person, list[PlayedMatch]]:
    """Matches in which the person was right about the program and wrong about the other person, who took the person
    for a human; answered by both."""
    me, other = Person(pseudonym="me", created_at=now()), Person(pseudonym="other", created_at=now())
    version = await published(session, "after_match")
    played = []
    for _ in range(matches):
        match = await played_match(session, me, other)
        await judged(session, match, me.id, 1, "artificial", match.strategy)
        await judged(session, match, me.id, 2, "artificial", None)
        await judged(session, match, other.id, 0, "human", None)
        session.add(
            Sheet(
                version_id=version.id,
                person_id=me.id,
                match_id=match.id,
                seats=[1, 2],
                opened_at=now(),
                finished_at=now(),
            )
        )
        played.append(match)
    await session.flush()
    return me, played


def a_round(status: Status, ended_at: datetime | None, simulation: dict[str, int] | None = None) -> Round:
    return Round(
        name="a round", game="jostle:standard", seed=1, settings={}, created_at=now(), created_by="test", phase="done",
        state={}, status=status, ended_at=ended_at, simulation=simulation, waiting=[], lacking=[], progress={},
    )  # fmt: skip


async def test_nothing_that_tells_who_was_what_is_told_while_a_round_runs(session: AsyncSession) -> None:
    me, _ = await history(session, LEAST)
    session.add(a_round(Status.RUNNING, None))
    session.add(a_round(Status.DONE, now(), simulation={"of": 1}))
    await session.flush()
    standing = await standing_of(session, me.id)
    assert (standing.matches, standing.answered, standing.days) == (LEAST, LEAST, 1)
    assert (standing.hits, standing.missing, standing.taken) == (None, None, None)


async def test_after_a_round_its_judgements_are_told_and_later_ones_change_nothing(session: AsyncSession) -> None:
    me, played = await history(session, LEAST)
    session.add(a_round(Status.DONE, now()))
    await session.flush()

    async def told() -> tuple[tuple[int, int], tuple[int, int]]:
        standing = await standing_of(session, me.id)
        assert standing.hits is not None
        assert standing.taken is not None
        assert standing.hits.share in standing.hits.interval
        return (standing.hits.count, standing.hits.of), (standing.taken.count, standing.taken.of)

    assert await told() == ((LEAST, 2 * LEAST), (LEAST, LEAST))
    session.add(a_round(Status.RUNNING, None))
    another = await played_match(session, me, await session.get_one(Person, played[0].second))
    await judged(session, another, me.id, 1, "human", another.strategy)
    await judged(session, another, another.second, 0, "artificial", None)
    assert await told() == ((LEAST, 2 * LEAST), (LEAST, LEAST))


async def test_a_study_that_reveals_tells_the_own_hits_at_once_but_not_what_others_thought(
    session: AsyncSession,
) -> None:
    me, _ = await history(session, 2)
    await change_setting(session, "reveal_after_answering", True, changed_by="test")
    standing = await standing_of(session, me.id)
    assert (standing.hits, standing.missing) == (None, LEAST - 4), "too few: they would tell about single seats"
    other = await played_match(session, me, Person(pseudonym="third", created_at=now()))
    await judged(session, other, me.id, 1, "cannot tell", other.strategy)
    await judged(session, other, me.id, 2, "human", None)
    standing = await standing_of(session, me.id)
    assert standing.hits is not None
    assert (standing.hits.count, standing.hits.of) == (3, 5)
    assert standing.taken is None


async def test_what_others_thought_is_not_told_of_a_match_that_one_can_still_answer_about(
    session: AsyncSession,
) -> None:
    me, played = await history(session, LEAST)
    open_one = await played_match(session, me, await session.get_one(Person, played[0].second))
    await judged(session, open_one, open_one.second, 0, "artificial", None)
    session.add(a_round(Status.DONE, now()))
    await session.flush()
    standing = await standing_of(session, me.id)
    assert standing.taken is not None
    assert (standing.taken.count, standing.taken.of) == (LEAST, LEAST)
    match = await session.get_one(Match, open_one.id)
    match.ended_at = now() - timedelta(days=3)
    await session.flush()
    standing = await standing_of(session, me.id)
    assert standing.taken is not None
    assert (standing.taken.count, standing.taken.of) == (LEAST, LEAST + 1)


async def test_own_matches_say_how_each_ended_and_what_is_still_open(session: AsyncSession) -> None:
    me, (answered,) = await history(session, 1)
    fresh = await played_match(session, me, Person(pseudonym="third", created_at=now()))
    old = await played_match(session, me, Person(pseudonym="fourth", created_at=now()))
    left = await played_match(session, me, Person(pseudonym="fifth", created_at=now()))
    running = await played_match(session, me, Person(pseudonym="sixth", created_at=now()), ended=False)
    (await session.get_one(Match, old.id)).ended_at = datetime(2026, 1, 1, tzinfo=UTC)
    (await session.get_one(Match, fresh.id)).winners = [0]
    (await session.get_one(MatchSeat, (left.id, 0))).replaced_at = now()
    await session.flush()
    told = {match.id: (match.result, match.asked) for match in await own_matches(session, me.id)}
    assert told == {
        answered.id: ("lost", "answered"),
        fresh.id: ("won", "open"),
        old.id: ("lost", "over"),
        left.id: ("left", None),
        running.id: ("running", None),
    }


async def test_the_page_of_own_matches(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    me = await as_person(client, session, settings)
    assert "You have not played yet." in (await client.get("/matches")).text
    others = [Person(pseudonym=f"other {number}", created_at=now()) for number in range(PAGE + 2)]
    played = [await played_match(session, me, other) for other in others]
    await session.commit()
    page = (await client.get("/matches")).text
    assert [match.id for match in played if f'href="/matches/{match.id}"' in page] == [m.id for m in played[2:]]
    assert f'href="/matches?before={played[2].id}"' in page
    older = (await client.get(f"/matches?before={played[2].id}")).text
    assert [match.id for match in played if f'href="/matches/{match.id}"' in older] == [m.id for m in played[:2]]
    assert "Observing PALS" not in page + older

    stranger = await as_person(client, session, settings)
    assert stranger.id != me.id
    assert "You have not played yet." in (await client.get("/matches")).text
    assert (await client.get(f"/matches/{played[0].id}/thanks")).status_code == 404
