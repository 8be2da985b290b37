"""Strategies and persons as researchers see them: the numbers are those of the ratings and of the log."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from npc.composed import strategy as read_strategy
from npc.prolog import vocabulary_of
from server.base.errors import NotFound
from server.dashboards import attributes, persons, strategies
from server.dashboards.persons import PersonsQuery
from server.dashboards.relatives import trees
from server.dashboards.schemas import JudgedHuman
from server.dashboards.typescript import TARGET, typescript
from server.exports.service import Wanted, export
from server.exports.tables import chosen
from server.ratings.service import latest, refresh
from server.storage.database import Database
from tests.conftest import SignIn
from tests.lab.simulated import judgement
from tests.server.dashboards.study import GAME
from tests.server.ratings.stored import store
from tests.servers import PageClient

ROUNDING = 1e-9


async def test_every_strategy_of_the_ratings_is_there_with_its_numbers(
    session: AsyncSession, database: Database
) -> None:
    snapshot = await latest(session, GAME.reference)
    assert snapshot is not None
    found = await strategies.strategies(session, database, GAME.reference)
    by_name = {row.strategy: row for row in found.strategies}
    for record in snapshot.record["strategies"]:
        rating = by_name[record["strategy"]].rating
        assert rating is not None
        assert rating.detection == record["detection"]
        assert list(rating.intervals.fun) == record["intervals"]["fun"]
        assert rating.equivalence.p == record["equivalence"]["p"]
        assert rating.difficulty == record["difficulty"]
    assert found.humans is not None
    assert found.humans.share == snapshot.record["humans"]["share"]


async def test_what_was_judged_once_is_not_on_top_and_not_known(session: AsyncSession, database: Database) -> None:
    """A strategy that one person took for human once leads by its share, and by nothing else."""
    found = (await strategies.strategies(session, database, GAME.reference)).strategies
    lows = [row.rating.judged_human.interval[0] for row in found if row.rating]
    assert lows == sorted(lows, reverse=True)
    assert len(set(lows)) > 1
    top = found[0]
    assert top.rating is not None
    assert strategies.is_known(top.rating)
    once = JudgedHuman(share=1, interval=(0.05, 1), judgements=1, judges=1)
    lucky = top.model_copy(update={"rating": top.rating.model_copy(update={"judged_human": once})})
    assert not strategies.is_known(lucky.rating)
    assert sorted([lucky, top], key=strategies.most_surely_human_first) == [top, lucky]


async def test_no_headline_lies_outside_its_interval(session: AsyncSession, database: Database) -> None:
    for row in (await strategies.strategies(session, database, GAME.reference)).strategies:
        if row.rating is None:
            continue
        assert row.rating.plain is not None
        for dimension in ("detection", "fun", "challenge"):
            value, (low, high) = getattr(row.rating.plain, dimension), getattr(row.rating.intervals, dimension)
            assert value is None or low - ROUNDING <= value <= high + ROUNDING, (row.strategy, dimension)


async def test_humans_are_a_point_in_the_same_space(session: AsyncSession, database: Database) -> None:
    point = (await strategies.strategies(session, database, GAME.reference)).human_point
    assert point is not None
    query = "SELECT avg((verdict = 'artificial')::int)::float8 FROM judgements WHERE strategy IS NULL"
    assert point.detection.share == pytest.approx(await session.scalar(text(query)))
    assert point.detection.share is not None
    assert point.detection.low < point.detection.share < point.detection.high
    assert point.fun is not None
    assert 0 < point.fun < 1


async def test_later_generations_have_parents_that_lead_back_to_the_start(
    session: AsyncSession, database: Database
) -> None:
    found = await strategies.strategies(session, database, GAME.reference)
    youngest = max(found.strategies, key=lambda row: (row.generation, row.origin == "child"))
    assert youngest.generation >= 1
    page = await strategies.strategy_page(session, database, GAME.reference, youngest.strategy)
    assert set(youngest.parents) <= {one.strategy for one in page.ancestors}
    assert min(one.step for one in page.ancestors) == 0
    parent = await strategies.strategy_page(session, database, GAME.reference, youngest.parents[0])
    assert youngest.strategy in {one.strategy for one in parent.children}


async def test_a_strategy_has_its_list_words_prolog_answers_and_matches(
    session: AsyncSession, database: Database
) -> None:
    page = await strategies.strategy_page(session, database, GAME.reference, "observing,pals")
    assert page.strategy == "Observing PALS"
    assert [one.name for one in page.elements] == ["Observing", "PALS"]
    assert page.prolog == vocabulary_of(GAME).script_of(read_strategy("Observing PALS", GAME))
    judged = await session.scalar(text("SELECT count(*) FROM judgements WHERE strategy = 'Observing PALS'"))
    assert sum(period.artificial.of for period in page.course) == judged
    assert page.answers
    assert page.matches
    seats = "SELECT count(*) FROM match_seats WHERE strategy = 'Observing PALS' AND match_id = :match"
    assert await session.scalar(text(seats), {"match": page.answers[0].match}) == 1


async def test_the_course_of_a_strategy_leaves_out_whom_the_ratings_leave_out(
    session: AsyncSession, database: Database
) -> None:
    judges = """SELECT p.pseudonym, count(*) FROM judgements j JOIN persons p ON p.id = j.person_id
                WHERE strategy = 'Observing PALS' GROUP BY p.pseudonym ORDER BY p.pseudonym"""
    (falsifier, _), *others = (await session.execute(text(judges))).all()
    await database.pool.execute("UPDATE rating_snapshots SET left_out = jsonb_build_array($1::text)", falsifier)
    page = await strategies.strategy_page(session, database, GAME.reference, "Observing PALS")
    assert sum(period.artificial.of for period in page.course) == sum(count for _, count in others)


async def test_a_family_tree_leads_from_the_start_to_the_strategy_and_its_children(
    session: AsyncSession, database: Database
) -> None:
    found = await strategies.strategies(session, database, GAME.reference)
    youngest = max(found.strategies, key=lambda row: (row.generation, row.origin == "child"))
    ((name, tree),) = await trees(session, GAME.reference, youngest.strategy)
    assert name == "Autumn"
    columns = {column.step: {node.strategy for node in column.nodes} for column in tree.columns}
    assert set(youngest.parents) <= columns[youngest.generation - 1]
    assert youngest.strategy in columns[youngest.generation]
    assert min(columns) == 0
    assert len(tree.lines) >= len(set(youngest.parents))
    ((_, of_parent),) = await trees(session, GAME.reference, youngest.parents[0])
    assert youngest.strategy in {node.strategy for node in of_parent.columns[-1].nodes}
    assert await trees(session, GAME.reference, "Nonsense") == []


async def test_persons_are_grouped_by_what_they_say_of_themselves(session: AsyncSession, database: Database) -> None:
    report = await attributes.report(session, database, GAME.reference, "age")
    query = """SELECT count(*) FROM answers JOIN questionnaire_sheets s ON s.id = sheet_id
               WHERE match_id IS NULL AND item = 'age' AND value #>> '{}' = :age"""
    for row in report.rows:
        assert row.persons == await session.scalar(text(query), {"age": row.value})
        assert row.persons == sum(row.groups)
        assert row.detected.share is None or row.detected.low <= row.detected.share <= row.detected.high
        part = await persons.persons_part(session, database, GAME.reference, PersonsQuery(group=f"age:{row.value}"))
        assert part.total == row.persons
    assert sum(row.persons for row in report.rows) > 20
    countries = await attributes.report(session, database, GAME.reference, "country")
    assert countries.rows
    with pytest.raises(NotFound):
        await attributes.report(session, database, GAME.reference, "nonsense")


async def test_ratings_and_rounds_can_be_exported(session: AsyncSession, database: Database, tmp_path: Path) -> None:
    tables = chosen(["ratings", "rounds"])
    manifest = await export(database, Wanted(tables, "jsonl"), tmp_path / "out")
    rows = {file["file"].removesuffix(".jsonl"): file["rows"] for file in manifest["files"] if "rows" in file}
    snapshot = await latest(session, GAME.reference)
    assert snapshot is not None
    assert rows["strategy_ratings"] == len(snapshot.record["strategies"])
    assert rows["person_ratings"] == len(snapshot.record["persons"])
    assert rows["round_steps"] == await session.scalar(text("SELECT count(*) FROM round_steps")) > 0
    assert rows["round_members"] == await session.scalar(text("SELECT count(*) FROM round_members")) > 0
    assert rows["round_decisions"] > 0
    first = json.loads((tmp_path / "out" / "strategy_ratings.jsonl").read_text().splitlines()[0])
    rating = snapshot.record["strategies"][0]
    assert (first["strategy"], first["detection"]) == (rating["strategy"], rating["detection"])
    assert [first["judged_human_low"], first["judged_human_high"]] == rating["judged_human"]["interval"]
    round_ = json.loads((tmp_path / "out" / "rounds.jsonl").read_text())
    assert (round_["name"], round_["simulation"]) == ("Autumn", None)


async def test_what_is_no_strategy_is_not_found(session: AsyncSession, database: Database) -> None:
    with pytest.raises(NotFound):
        await strategies.strategy_page(session, database, GAME.reference, "Nonsense")


async def test_persons_can_be_ordered_searched_and_paged(session: AsyncSession, database: Database) -> None:
    everybody = await persons.persons_part(session, database, GAME.reference, PersonsQuery())
    assert everybody.total == 40
    abilities = [one.ability or 0.0 for one in everybody.rows]
    assert abilities == sorted(abilities, reverse=True)
    named = await persons.persons_part(session, database, GAME.reference, PersonsQuery(name="000007"))
    assert [one.person for one in named.rows] == ["simulated-example-000007"]
    experts = await persons.persons_part(session, database, GAME.reference, PersonsQuery(experts=True))
    assert all(one.super_expert for one in experts.rows)
    assert (
        await persons.persons_part(session, database, GAME.reference, PersonsQuery(page=999))
    ).page == everybody.pages


async def test_learning_counts_everybody_once_at_each_number(session: AsyncSession, database: Database) -> None:
    lessons = await persons.learning(session, database, GAME.reference)
    assert [one.number for one in lessons] == list(range(1, len(lessons) + 1))
    assert lessons[0].programs.of + lessons[0].humans.of == 40


async def test_a_person_has_a_course_that_ends_at_the_weight(session: AsyncSession, database: Database) -> None:
    row = (await persons.persons_part(session, database, GAME.reference, PersonsQuery())).rows[0]
    _, page = await persons.person_page(session, database, GAME.reference, row.person, with_email=False)
    assert len(page.history) == row.judgements == sum(one.judgements for one in page.judged)
    assert page.history[-1].overall == pytest.approx(row.weight)
    assert page.email is None


@pytest.mark.parametrize(("role", "told"), [("researcher", False), ("admin", True)])
async def test_an_address_is_told_to_admins_alone(
    client: PageClient, sign_in: SignIn, session: AsyncSession, role: str, told: bool
) -> None:
    await sign_in(role)
    query = "SELECT pseudonym, email FROM accounts JOIN persons ON persons.id = person_id ORDER BY accounts.id LIMIT 1"
    pseudonym, email = (await session.execute(text(query))).one()
    for path in (f"/research/persons/{pseudonym}", f"/api/research/persons/{pseudonym}"):
        assert (email in (await client.get(path)).text) is told


async def test_a_flag_can_be_confirmed_on_the_page_and_ratings_leave_the_person_out(
    client: PageClient, sign_in: SignIn, session: AsyncSession
) -> None:
    await sign_in("researcher")
    query = "SELECT pseudonym FROM falsifier_flags JOIN persons ON id = person_id LIMIT 1"
    address = f"/research/persons/{await session.scalar(text(query))}"
    page = (await client.get(address)).text
    form = page.partition('action="/research/flags/')[2].partition('"')[0]
    await client.post(f"/research/flags/{form}", data={"decision": "confirmed"})
    assert "Ratings leave this person out" in (await client.get(address)).text


def test_the_types_of_the_browser_are_those_of_the_server() -> None:
    assert TARGET.read_text(encoding="utf-8") == typescript(), "run python -m server.dashboards.typescript"


async def test_pages_of_another_game_show_that_game_alone(
    database: Database, session: AsyncSession, client: PageClient, sign_in: SignIn
) -> None:
    """A strategy of the same name in another game is another strategy; a game is offered once there are two."""
    await sign_in("researcher")
    alone = (await client.get("/research/strategies")).text
    assert "of-game" not in alone
    own = await strategies.strategies(session, database, GAME.reference)
    log = [judgement(n, f"p{n % 3}", name, n % 2 == 0) for n, name in enumerate(["RANDOMIZER", "human"] * 6)]
    async with database.transaction() as writing:
        await store(writing, log, "tic-tac-toe:standard")
    with ThreadPoolExecutor(1) as here:
        await refresh(database, here, "tic-tac-toe:standard")
    page = (await client.get("/research/strategies?game=tic-tac-toe")).text
    assert 'aria-current="true">Tic-tac-toe</a>' in page
    assert "PALS" not in page
    there = (await client.get("/api/research/strategies?game=tic-tac-toe")).json()
    other = {row["strategy"]: row for row in there["strategies"]}
    assert other["RANDOMIZER"]["rating"]["judgements"] == 6
    assert await strategies.strategies(session, database, GAME.reference) == own
    one = (await client.get("/api/research/strategies/RANDOMIZER?game=tic-tac-toe")).json()
    assert [course["artificial"]["of"] for course in one["course"]] == [6]
    assert (await client.get("/api/research/strategies/PALS?game=tic-tac-toe")).status_code == 404
    persons_there = (await client.get("/api/research/persons?game=tic-tac-toe")).json()
    assert {row["person"] for row in persons_there["rows"]} == {"p0", "p1", "p2"}
    for address in ("persons", "results", "strategies/RANDOMIZER", "persons/p0", ""):
        found = await client.get(f"/research/{address}".rstrip("/"), params={"game": "tic-tac-toe"})
        assert found.status_code == 200, address
    assert (await client.get("/research/strategies?game=nonsense")).status_code == 404
