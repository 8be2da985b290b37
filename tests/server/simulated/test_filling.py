"""A simulated study in the real tables looks as if people had played: pages, exports and ratings can work with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from itertools import islice

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import pytest
from sqlalchemy import func, select
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from games.book import read_book, replay
from games.dice import verify
from games.jostle import JOSTLE
from lab.judgements import HUMAN
from lab.probands.factor import HumanFactor
from lab.refinement import PRESETS, pool_of
from lab.simulation.recorded import RecordSettings, recorded
from lab.simulation.records import MatchRecord, PersonRecord
from lab.simulation.study import SimulationSettings
from server.accounts.models import Account, Person
from server.base.errors import Conflict
from server.falsifiers.service import signs_of
from server.judgements.models import JudgementRow
from server.judgements.repository import read_log
from server.live.models import Match, MatchEvent, MatchSeat
from server.live.records.matches import match_book
from server.questionnaires import repository as questionnaires
from server.questionnaires.content import missing
from server.questionnaires.models import Sheet
from server.questionnaires.service import content
from server.rounds import repository as rounds
from server.simulated.filling import Filled, fill
from server.storage.database import Database, connect
from server.study import consent
from tests.conftest import SignIn
from tests.databases import copy_database, drop_database
from tests.servers import PageClient

STUDY = SimulationSettings(
    HumanFactor(("Observing", "Lingering"), pool_of(JOSTLE)),
    JOSTLE.reference,
    persons=40,
    judgements=20,
    refinement=replace(PRESETS["recommended"], max_generations=1),
)
RECORDS = RecordSettings(most_books=6)
SEED = 5


@dataclass(frozen=True)
class Study:
    """A database with the study in it."""

    database: Database
    url: str
    filled: Filled


@pytest.fixture(scope="module")
async def study(postgres_url: str, template: str) -> AsyncIterator[Study]:
    name = "simulated_study"
    connection = await asyncpg.connect(postgres_url)
    await copy_database(connection, name, template)
    url = make_url(postgres_url).set(database=name).render_as_string(hide_password=False)
    async with connect(url, size=3, raw_size=1) as database:
        async with database.transaction() as session:
            filled = await fill(session, STUDY, SEED, RECORDS)
        yield Study(database, url, filled)
    await drop_database(connection, name)
    await connection.close()


@pytest.fixture
def filled(study: Study) -> Filled:
    return study.filled


@pytest.fixture
async def session(study: Study) -> AsyncIterator[AsyncSession]:
    """On the study's database; whatever a test writes is rolled back."""
    async with study.database.sessions() as opened:
        yield opened
        await opened.rollback()


@pytest.fixture
def database(study: Study) -> Database:
    return study.database


@pytest.fixture
def database_url(study: Study) -> str:
    return study.url


def records() -> list[MatchRecord]:
    return [one for one in recorded(STUDY, SEED, replace(RECORDS, books=False)) if isinstance(one, MatchRecord)]


async def test_the_log_is_the_streams(session: AsyncSession, filled: Filled) -> None:
    log = await read_log(session, "jostle:standard")
    told = [one for match in records() for one in match.judgements]
    assert len(log) == filled.rows["judgements"] == len(told)
    assert [(one.seat_truth, one.verdict) for one in log] == [(one.truth, one.verdict) for one in told]
    assert {one.person for one in log} == {f"simulated-study{SEED}-{number:06}" for number in range(STUDY.persons)}
    assert {one.seat_truth == HUMAN for one in log} == {True, False}


async def test_matches_with_moves_replay_and_their_dice_are_fair(session: AsyncSession, filled: Filled) -> None:
    query = select(Match).where(Match.ply > 0).options(selectinload(Match.seats), selectinload(Match.moves))
    matches = list(await session.scalars(query))
    assert len(matches) == RECORDS.most_books
    for match in matches:
        moves = [move.move for move in match.moves]
        assert verify(JOSTLE, match.dice_seed.hex(), match.commitment, moves).fair
        assert match.position.split()[1] == "-", "the game is over"
        assert list(replay(read_book(match_book(match, None))).position.scores()) == match.scores
        assert sorted({move.seat for move in match.moves}) == [-1, 0, 1, 2]
        playing = [seat for seat in match.seats if seat.strategy]
        assert [match.panel[seat.member or 0]["name"] for seat in playing] == [seat.strategy for seat in playing]


async def test_sheets_are_complete_and_say_what_the_log_says(session: AsyncSession, filled: Filled) -> None:
    finished = Sheet.match_id.is_not(None) & Sheet.finished_at.is_not(None)
    query = select(Sheet).where(finished).options(selectinload(Sheet.version)).limit(20)
    for sheet in await session.scalars(query):
        answers = await questionnaires.current_answers(session, sheet.id)
        assert missing(content(sheet), sheet.seats, answers) == []
        for (item, _), value in answers.items():
            content(sheet).item(item).check(value)
        judged = select(JudgementRow).where(
            JudgementRow.match_id == sheet.match_id, JudgementRow.person_id == sheet.person_id
        )
        for row in await session.scalars(judged):
            assert answers["verdict", row.seat].replace("_", " ") == row.verdict
    assert await session.scalar(select(func.count()).where(finished)) == 2 * len(records())


async def test_people_wait_leave_and_skip_without_changing_the_log(session: AsyncSession, filled: Filled) -> None:
    replaced = set(await session.scalars(select(MatchSeat.match_id).where(MatchSeat.replaced_at.is_not(None))))
    assert replaced
    assert replaced.isdisjoint(await session.scalars(select(JudgementRow.match_id)))
    persons = await session.scalar(select(func.count()).where(MatchSeat.person_id.is_not(None)))
    seated = select(func.count()).where(MatchEvent.kind == "seated", MatchEvent.details["waited_ms"].as_integer() > 0)
    assert await session.scalar(seated) == persons
    unfinished = select(Sheet).where(Sheet.match_id.is_not(None), Sheet.finished_at.is_(None))
    found = list(await session.scalars(unfinished))
    assert {sheet.skipped_at is not None for sheet in found} == {True, False}
    assert not any(sheet.is_open for sheet in found)


async def test_persons_have_consented_and_cannot_log_in(session: AsyncSession, filled: Filled) -> None:
    accounts = list(await session.scalars(select(Account)))
    assert len(accounts) == STUDY.persons
    assert {account.password_hash for account in accounts} == {"!"}
    assert await consent.may_play(session, accounts[0].person_id)


async def test_falsifiers_leave_signs(session: AsyncSession, filled: Filled) -> None:
    told = [one for one in islice(recorded(STUDY, SEED), STUDY.persons) if isinstance(one, PersonRecord)]
    persons = list(await session.scalars(select(Person).order_by(Person.pseudonym)))
    falsifiers = [one.number for one in told if one.falsifier]
    honest = [one.number for one in told if not one.falsifier]
    assert falsifiers
    for number in (*falsifiers[:2], *honest[:2]):
        signs = {sign.name for sign in await signs_of(session, persons[number].id)}
        assert ("too_fast" in signs) == (number in falsifiers)


async def test_the_round_has_its_steps_and_families(
    session: AsyncSession, filled: Filled, client: PageClient, sign_in: SignIn
) -> None:
    steps = await rounds.steps(session, filled.round_id)
    members = await rounds.members(session, filled.round_id)
    assert [step.number for step in steps] == list(range(len(steps)))
    assert len(steps) > 1
    assert {member.step for member in members} >= {0}
    positions = [step.log_position for step in steps]
    assert positions == sorted(positions)
    await sign_in("admin")
    for path in (f"/admin/rounds/{filled.round_id}", "/admin/rounds", "/research", "/research/matches"):
        assert '<span class="badge warn">simulated</span>' in (await client.get(path)).text, path


async def test_the_same_study_twice_and_real_judgements_are_refused(session: AsyncSession, filled: Filled) -> None:
    with pytest.raises(Conflict, match="already"):
        await fill(session, STUDY, SEED, RECORDS)
    one = (await session.scalars(select(Person).order_by(Person.id).limit(1))).one()
    one.pseudonym = "jade-otter-0042"
    await session.flush()
    with pytest.raises(Conflict, match="spoil"):
        await fill(session, STUDY, SEED + 1, RECORDS)


async def test_new_rows_get_new_keys_afterwards(session: AsyncSession, filled: Filled) -> None:
    last = await session.scalar(select(func.max(Person.id))) or 0
    person = Person(pseudonym="amber-fox-0001")
    session.add(person)
    await session.flush()
    assert person.id > last
