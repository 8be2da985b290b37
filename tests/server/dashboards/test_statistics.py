"""The statistics page: the main analysis and the checks, from the ratings; and never a number that is none."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import numpy as np
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lab.judgements import HUMAN, Judgement
from lab.rasch.dif import differing_judgements
from server.base.errors import NotFound
from server.dashboards.differing import by_time, differing_by
from server.dashboards.persons import learning
from server.dashboards.statistics import statistics
from server.ratings.service import latest, refresh
from server.storage.database import Database
from server.study.settings import change_setting
from tests.conftest import SignIn
from tests.lab.simulated import judgement
from tests.server.dashboards.study import BEGIN, GAME
from tests.server.ratings.stored import store
from tests.servers import PageClient

OTHER = "tic-tac-toe:standard"
NO_NUMBER = re.compile(r"(?<![\w.])[-−]?(?:nan|inf|infinity)(?![\w.])", re.IGNORECASE)
PAGES = ("strategies", "statistics", "persons", "strategies/RANDOMIZER", "persons/p0")
DATA = ("strategies", "statistics", "rasch", "learning", "persons", "strategies/RANDOMIZER", "persons/p0")


async def test_the_mixed_model_and_the_difference_within_matches_are_told(
    session: AsyncSession, database: Database
) -> None:
    found, snapshot = await statistics(session, database, GAME.reference), await latest(session, GAME.reference)
    assert snapshot is not None
    assert found.mixed is not None
    assert found.meetings is not None
    assert found.which == "first"
    assert found.meetings.tested + found.meetings.left_out == snapshot.judgements
    for record in snapshot.record["strategies"]:
        rating, model = found.strategies[record["strategy"]], found.mixed.strategies[record["strategy"]]
        assert rating.within_match is not None
        assert rating.within_match.estimate == record["within_match"]["estimate"]
        assert rating.told_apart == record["told_apart"]
        assert rating.plain is not None
        assert rating.plain.detection == record["plain"]["detection"]
        assert model.share == pytest.approx(found.mixed.humans + (model.estimate or 0))  # type: ignore[operator]  # both are there


async def test_persons_have_both_kinds_of_fit_by_their_names(client: PageClient, sign_in: SignIn) -> None:
    await sign_in("researcher")
    rows = (await client.get("/api/research/persons")).json()["rows"]
    assert all(one["infit_at_estimate"] is not None and one["outfit_at_estimate"] is not None for one in rows)
    pages = [await client.get("/research/persons"), await client.get(f"/research/persons/{rows[0]['person']}")]
    for page in pages:
        for name in ("Infit, over the posterior", "Outfit, over the posterior", "Infit, conv", "Outfit, conv"):
            assert name in page.text


async def test_judges_rasch_and_learning_are_checked(session: AsyncSession, database: Database) -> None:
    found = await statistics(session, database, GAME.reference)
    assert found.checks is not None
    first, last = found.checks.roc[0], found.checks.roc[-1]
    assert ((first.hits, first.false_alarms), (last.hits, last.false_alarms)) == ((0, 0), (1, 1))
    assert found.checks.calibration is not None
    assert found.judges is not None
    parts = found.checks.calibration
    assert parts.miscalibration - parts.resolution + parts.uncertainty == pytest.approx(found.judges.brier)
    assert found.checks.agreement.seats > 0
    assert found.checks.slopes is not None
    assert found.rasch is not None
    assert {HUMAN, *found.strategies} == {one.item for one in found.rasch.items}
    assert all(one.infit_at_estimate is not None and one.robust_se is not None for one in found.rasch.items)
    assert len(found.rasch.parts) == 1
    plain = {one.strategy: one.difficulty for one in found.checks.shrunk}
    spread = max(one.difficulty for one in found.rasch.items) - min(one.difficulty for one in found.rasch.items)
    assert max(plain.values()) - min(plain.values()) < spread
    lessons = await learning(session, database, GAME.reference)
    assert lessons[0].programs_learnt is not None
    assert lessons[0].programs_learnt.right == pytest.approx(lessons[0].programs.share, abs=0.1)


async def test_the_page_tells_it_in_both_languages(client: PageClient, sign_in: SignIn) -> None:
    await sign_in("researcher")
    page = (await client.get("/research/statistics")).text
    for words in (
        "first meetings alone",
        "crossed mixed model",
        "Infit, conventional",
        "Krippendorff",
        "two-parameter",
    ):
        assert words in page, words
    client.cookies.set("language", "de")
    assert "Hauptauswertung" in (await client.get("/research/statistics")).text


async def test_which_meetings_are_tested_is_a_setting(client: PageClient, sign_in: SignIn, database: Database) -> None:
    await sign_in("researcher")
    async with database.transaction() as session:
        await change_setting(session, "meetings", "all", changed_by="test")
    with ThreadPoolExecutor(1) as here:
        await refresh(database, here, GAME.reference)
    assert "Tested: all" in (await client.get("/research/statistics")).text


async def test_a_design_in_parts_is_warned_of(client: PageClient, sign_in: SignIn, database: Database) -> None:
    """Two circles of judges who have met no strategy in common, and no humans."""
    log = [
        judgement(n, f"p{n % 4 + 4 * circle}", f"s{n % 3 + 3 * circle}", (n * n) % 3 == 0)
        for circle in range(2)
        for n in range(40)
    ]
    await _rated(database, log)
    await sign_in("researcher")
    page = (await client.get("/research/statistics", params={"game": OTHER})).text
    assert "falls into 2 parts" in page
    assert "s0 · s1 · s2" in page


ONE_SIDED = {
    "one judgement": [judgement(1, "p0", "RANDOMIZER", True)],
    "programs alone": [judgement(n, f"p{n % 3}", "RANDOMIZER", True) for n in range(12)],
    "everybody agrees": [judgement(n, f"p{n % 4}", ("RANDOMIZER", HUMAN)[n % 2], True) for n in range(24)],
    "one of each": [judgement(1, "p0", "RANDOMIZER", True), judgement(2, "p0", HUMAN, True)],
}


@pytest.mark.parametrize("name", ONE_SIDED)
async def test_what_is_no_number_is_never_shown(
    client: PageClient, sign_in: SignIn, database: Database, name: str
) -> None:
    await _rated(database, ONE_SIDED[name])
    await sign_in("researcher")
    for kind, places in (("/research", PAGES), ("/api/research", DATA)):
        for place in places:
            answer = await client.get(f"{kind}/{place}", params={"game": OTHER})
            assert answer.status_code == 200, place
            assert not NO_NUMBER.findall(answer.text), place
    ratings = await client.get("/api/ratings", params={"game": OTHER})
    json.loads(ratings.text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


async def _rated(database: Database, log: list[Judgement]) -> None:
    async with database.transaction() as session:
        await store(session, log, OTHER)
    with ThreadPoolExecutor(1) as here:
        await refresh(database, here, OTHER)


async def test_strategies_can_differ_by_language_profile_and_generation(
    session: AsyncSession, database: Database
) -> None:
    assert await differing_by(session, database, GAME.reference, "language") == [], "all speak the same"
    async with database.transaction() as writing:
        await writing.execute(text("UPDATE accounts SET language = 'de' WHERE id % 2 = 0"))
    found = await differing_by(session, database, GAME.reference, "language")
    assert {"de", "en"} == set.intersection(*(set(one.difficulty) for one in found))
    assert all(0 <= one.p <= one.adjusted_p <= 1 for one in found)
    assert await differing_by(session, database, GAME.reference, "generation") == [], "few strategies outlive one"
    assert await differing_by(session, database, GAME.reference, "gender") == [], "too few have told it"
    with pytest.raises(NotFound):
        await differing_by(session, database, GAME.reference, "shoe size")


async def test_strategies_can_differ_by_the_device_on_which_the_judged_match_was_played(
    session: AsyncSession, database: Database
) -> None:
    assert await differing_by(session, database, GAME.reference, "device") == [], "nobody's device is known"
    async with database.transaction() as writing:
        await writing.execute(
            text(
                "UPDATE match_seats SET device = CASE WHEN match_id % 2 = 0 THEN 'phone' ELSE 'desktop' END "
                "WHERE person_id IS NOT NULL"
            )
        )
    found = await differing_by(session, database, GAME.reference, "device")
    assert {"phone", "desktop"} == set.intersection(*(set(one.difficulty) for one in found))


def test_generations_are_told_by_when_somebody_judged() -> None:
    """Of four strategies the last is never hard before the second day and always after it."""
    second_day = BEGIN + timedelta(days=1)
    group = by_time([BEGIN, second_day])
    rng = np.random.default_rng(5)
    begin = BEGIN.timestamp()
    log = [
        judgement(
            at, f"p{n % 30}", f"s{n % 4}", bool(rng.random() < (0.9 if n % 4 == 3 and at < begin + 86400 else 0.5))
        )
        for n in range(1600)
        for at in [begin - 10 + n * 108.0]
    ]
    assert {group(one) for one in log} == {None, "0", "1"}
    first, *others = differing_judgements(log, group)
    assert (first.item, first.adjusted_p < 0.001) == ("s3", True)
    assert first.difficulty["1"] > first.difficulty["0"]
    assert len(others) == 3
