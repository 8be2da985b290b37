"""Results: what was answered is counted once, by what was judged; words are found in free answers."""

from __future__ import annotations

import numpy as np
import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from lab.intervals import wilson
from server.base.settings import Settings
from server.dashboards import results
from server.dashboards.answers import Given, Givers
from server.live.models import Match
from server.questionnaires import repository, service
from server.questionnaires.content import ChoiceItem
from server.questionnaires.searching import search
from tests.server.questionnaires.conftest import PlayedMatch, as_person
from tests.servers import PageClient


async def answered(session: AsyncSession, played: PlayedMatch) -> None:
    sheet = await service.open_sheet(session, played.first, played.id)
    for verdict in ("human", "artificial"):  # a changed mind counts once
        await service.save_answer(session, sheet, "verdict", 1, verdict)
    await service.save_answer(session, sheet, "verdict", 2, "human")
    await service.save_answer(session, sheet, "challenge", 1, "somewhat")
    await service.save_answer(session, sheet, "challenge", 2, "unsure")
    await service.save_answer(session, sheet, "sureness", 1, 100)
    await service.save_answer(session, sheet, "aim", 1, "It wanted to stay behind the others")
    await service.save_answer(session, sheet, "enjoyment", None, "very")
    await session.commit()


async def test_distributions_count_what_counts(session: AsyncSession, played: PlayedMatch) -> None:
    await answered(session, played)
    version = await repository.published(session, "after_match")
    by_item = {found.item.key: found for found in await results.distributions(session, version, "jostle:standard")}
    verdict = {bar.text["en"]: (bar.of_humans, bar.of_programs) for bar in by_item["verdict"].bars}
    assert verdict == {"a human": (1, 0), "a program": (0, 1), "cannot tell": (0, 0)}
    assert [bar.total for bar in by_item["sureness"].bars] == [0] * 9 + [1], "the highest value is in the last bar"
    assert by_item["enjoyment"].answered == 1
    shares = [bar.share for found in by_item.values() for bar in found.bars]
    assert all(one.share is not None and one.low <= one.share <= one.high for one in shares)
    mean = by_item["sureness"].mean
    assert mean is not None
    assert (mean.mean, mean.interval.high) == (100, 100)
    assert mean.interval.low < 50, "one answer says little"


def said_by(rng: np.random.Generator, persons: int, options: tuple[str, ...]) -> Given:
    """Verdicts of persons who play 1 to 40 matches each and mostly say the same; all options are equally likely."""
    habits = rng.dirichlet(np.full(len(options), 0.3), persons)
    said = rng.multinomial(rng.integers(1, 41, persons), habits)
    return {
        (1, "", "verdict", False, option): Givers(np.arange(persons, dtype=np.int32), said[:, place].astype(np.int32))
        for place, option in enumerate(options)
    }


def test_intervals_cover_the_truth_where_persons_say_the_same_again_and_again() -> None:
    item = repository.shipped("after_match").item("verdict")
    assert isinstance(item, ChoiceItem)
    rng = np.random.default_rng(11)
    clustered = naive = 0
    for _ in range(300):
        found = results._distribution(item, said_by(rng, 60, item.keys()))
        for bar in found.bars:
            clustered += bar.share.low <= 1 / 3 <= bar.share.high
            naive += 1 / 3 in wilson(bar.total, found.answered)
    assert clustered / 900 == pytest.approx(0.95, abs=0.025)
    assert naive / 900 < 0.6


def test_of_several_options_each_has_its_share_of_all_answers() -> None:
    text = {"en": "?", "de": "?"}
    options = [{"key": key, "text": text} for key in ("chess", "go", "cards")]
    item = ChoiceItem.model_validate(
        {"type": "choice", "key": "plays", "scope": "person", "text": text, "options": options, "several": True}
    )
    one = np.array([1], np.int32)
    given: Given = {
        (1, "", "plays", False, ("chess", "go")): Givers(one, one),
        (1, "", "plays", False, ("go",)): Givers(one + 1, one),
    }
    found = results._distribution(item, given)
    assert (found.answered, found.persons) == (2, 2)
    assert [bar.share.share for bar in found.bars] == [0.5, 1.0, 0.0]


async def test_a_cross_table_pairs_answers_about_the_same_seat(session: AsyncSession, played: PlayedMatch) -> None:
    await answered(session, played)
    version = await repository.published(session, "after_match")
    table = await results.cross_table(session, version, "jostle:standard", "verdict", "challenge")
    assert table is not None
    assert [counts for _, counts in table.rows] == [[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 0, 0]]
    mixed = await results.cross_table(session, version, "jostle:standard", "verdict", "enjoyment")
    assert mixed is not None
    assert [sum(counts) for _, counts in mixed.rows] == [1, 1, 0], "the match's answer holds for each of its seats"
    assert await results.cross_table(session, version, "jostle:standard", "verdict", "aim") is None


async def test_free_answers_are_searched_by_words(session: AsyncSession, played: PlayedMatch) -> None:
    await answered(session, played)
    (found,) = await search(session, "BEHIND stay")
    assert (found.seat, found.about) == (1, "Observing PALS")
    assert found.author
    assert await search(session, "stay", before=found.id) == [], "there are no older ones"
    assert await search(session, '"behind stay"') == []
    assert await search(session, "stay -others") == []
    assert len(await search(session, "")) == 1
    assert await search(session, "'); DROP TABLE answers; --") == []


async def test_the_pages(client: PageClient, session: AsyncSession, settings: Settings, played: PlayedMatch) -> None:
    await answered(session, played)
    await as_person(client, session, settings, "researcher")
    page = await client.get("/research/results?first=verdict&second=challenge")
    assert page.status_code == 200
    assert "Cross table" in page.text
    assert (await client.get("/research/results?version=999999")).status_code == 200
    answers = (await client.get("/research/answers?words=behind")).text
    assert "stay behind" in answers
    assert "/research/strategies/Observing%20PALS?game=jostle%3Astandard" in answers and "Green" in answers
    match = await session.get_one(Match, played.id)
    match.game, match.scores = "tic-tac-toe:standard", [1, 2]
    await session.commit()
    answers = (await client.get("/research/answers?words=behind")).text
    assert "game=tic-tac-toe%3Astandard" in answers and "Green" not in answers, (
        "seats are called as the game calls them"
    )
    await as_person(client, session, settings)
    assert (await client.get("/research/results")).status_code == 403
    assert (await client.get("/research/answers")).status_code == 403
