"""What is told of a match, to whom and when: nothing that would help a judge before the own answers are in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from pathlib import Path

import httpx
import numpy as np
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from games import dice
from games.book import read_book
from games.registry import game
from server.accounts.owndata import pieces
from server.base.clock import now
from server.base.settings import Settings
from server.exports.service import Wanted, export
from server.exports.tables import TABLES
from server.live.config import LiveConfig
from server.live.models import Match, MatchSeat
from server.live.thinking.prior import PRIOR
from server.live.thinking.situations import FEATURES, Situation
from server.live.thinking.times import thinking_ms, uniform
from server.live.wire import messages as wire
from server.matchmaking.lobby import Lobby
from server.matchmaking.seating import Seating
from server.questionnaires.service import OFFERED, open_sheet
from server.storage.database import Database
from tests.conftest import BASE_URL
from tests.server.live.clients import Visitor, visitors
from tests.server.live.test_record import Reader, answered, played_match
from tests.servers import PageClient

PLACES = (
    "/api/matches/{}",
    "/api/matches/{}/course",
    "/matches/{}",
    "/matches/{}/book",
    "/api/matches/{}/dice",
    "/matches/{}/verify",
    "/matches",
)
DECISIONS = 25


async def everything_told(database: Database, reader: Reader, match: int) -> str:
    """All that a person can read about a match anywhere."""
    pages = [(await reader.get(place.format(match))).text for place in (*PLACES, "/matches/{}/questionnaire")]
    async with database.sessions() as session:
        own = [piece.decode() async for piece in pieces(session, reader.visitor.person_id, {})]
        return "\n".join([*pages, *own])


async def seed_of(database: Database, match: int) -> str:
    async with database.sessions() as session:
        return (await session.get_one(Match, match)).dice_seed.hex()


async def test_the_seed_is_told_to_each_judge_when_the_own_answers_are_in(
    database: Database, settings: Settings, client: PageClient
) -> None:
    first, second = await visitors(database, settings, 2)
    match = await played_match(database, [first, second])
    seed = await seed_of(database, match)
    assert seed not in await everything_told(database, Reader(client, first), match)
    refused = await Reader(client, first).get(f"/api/matches/{match}/dice")
    assert refused.status_code == 409
    assert "questionnaire" in refused.text

    await answered(database, match, first)
    told = (await Reader(client, first).get(f"/api/matches/{match}/dice")).json()
    assert dice.verify(game(told["game"]), told["seed"], told["commitment"], told["moves"]).fair
    assert seed in (await Reader(client, first).get(f"/matches/{match}/book")).text
    assert seed not in await everything_told(database, Reader(client, second), match), "who has not judged yet"


async def test_the_seed_is_told_when_nobody_can_answer_any_more(
    database: Database, settings: Settings, client: PageClient
) -> None:
    first, second = await visitors(database, settings, 2)
    match = await played_match(database, [first, second])
    async with database.transaction() as session:
        sheet = await open_sheet(session, first.person_id, match)
        sheet.skipped_at = now()
        (await session.get_one(Match, match)).ended_at = now() - OFFERED
    for who in (first, second):  # one has skipped, the other never came
        assert (await Reader(client, who).get(f"/api/matches/{match}/dice")).status_code == 200


async def test_seeds_from_which_times_were_drawn_are_withheld_until_the_whole_table_has_answered(
    database: Database, settings: Settings, client: PageClient
) -> None:
    """As in matches of versions before secrets."""
    first, second = await visitors(database, settings, 2)
    match = await played_match(database, [first, second])
    async with database.transaction() as session:
        row = await session.get_one(Match, match)
        row.secret = row.dice_seed
    await answered(database, match, first)
    assert await seed_of(database, match) not in await everything_told(database, Reader(client, first), match)
    await answered(database, match, second)
    assert (await Reader(client, first).get(f"/api/matches/{match}/dice")).status_code == 200


async def test_times_of_others_are_told_after_the_own_answers(
    database: Database, settings: Settings, client: PageClient
) -> None:
    first, second = await visitors(database, settings, 2)
    match = await played_match(database, [first, second])
    reader = Reader(client, first)

    async def timed() -> tuple[set[int], int]:
        """The seats whose times the replay tells, and the number of times in the book."""
        replay = (await reader.get(f"/api/matches/{match}")).json()
        book = read_book((await reader.get(f"/matches/{match}/book")).text)
        return {one["seat"] for one in replay["moves"] if one["ms"] is not None}, book_times(book)

    async with database.sessions() as session:
        mine = select(MatchSeat.seat).where(MatchSeat.match_id == match, MatchSeat.person_id == first.person_id)
        own = await session.scalar(mine)
    seats, before = await timed()
    assert seats == {own}
    await answered(database, match, first)
    seats, after = await timed()
    assert seats >= {0, 1, 2}
    assert after > 2 * before


def book_times(book: object) -> int:
    return sum("ms" in line.notes for line in book.lines)  # type: ignore[attr-defined]  # any book has lines


async def test_an_export_leaves_out_what_its_reader_has_still_to_judge(
    database: Database, settings: Settings, tmp_path: Path
) -> None:
    researcher, other = await visitors(database, settings, 2, role="researcher")
    match = await played_match(database, [researcher, other])

    async def exported(reader: int | None, name: str) -> tuple[list[int], set[str], int]:
        """What is said to be withheld, tables with rows of the match, and the number of books."""
        wanted = Wanted(TABLES, "jsonl", last=now() + timedelta(days=1), books=True, reader=reader)
        manifest = await export(database, wanted, tmp_path / name)
        named = {
            table.name
            for table in TABLES
            for line in (tmp_path / name / f"{table.name}.jsonl").read_text().splitlines()
            if json.loads(line).get("match") == match
        }
        return manifest["matches_withheld_until_judged"], named, len(list((tmp_path / name / "books").iterdir()))

    withheld, named, books = await exported(researcher.person_id, "before")
    assert (withheld, named, books) == ([match], set(), 0)
    await answered(database, match, researcher)
    withheld, named, books = await exported(researcher.person_id, "after")
    assert (withheld, books) == ([], 1)
    assert {"matches", "seats", "moves"} <= named
    assert (await exported(other.person_id, "other"))[0] == [match], "who has not judged yet"
    assert {"matches", "seats", "moves"} <= (await exported(None, "everything"))[1], "on the command line"


async def test_an_admin_who_plays_is_not_told_who_sits_at_the_table(
    database: Database, settings: Settings, client: PageClient
) -> None:
    admin, other = await visitors(database, settings, 2, role="admin")
    match = await played_match(database, [admin])
    async with database.transaction() as session:
        row = await session.get_one(Match, match)
        row.ended_at, row.due = None, "reveal"
    own, others = [unescape((await Reader(client, who).get("/admin/live")).text) for who in (admin, other)]
    assert "a program's move" not in own
    assert "You play here" in own
    assert "a program's move" in others


async def test_a_researcher_who_played_judges_before_reading_who_was_who(
    database: Database, settings: Settings, client: PageClient
) -> None:
    (researcher,) = await visitors(database, settings, 1, role="researcher")
    match = await played_match(database, [researcher, *await visitors(database, settings, 1)])
    reader = Reader(client, researcher)
    assert (await reader.get(f"/api/matches/{match}")).json()["seats"] is None
    assert f"/research/matches/{match}" not in (await reader.get("/research/matches")).text
    for place in (f"/research/matches/{match}", f"/api/research/matches/{match}/notes"):
        assert (await reader.get(place)).status_code == 409
    await answered(database, match, researcher)
    assert (await reader.get(f"/api/matches/{match}")).json()["seats"] is not None
    assert (await reader.get(f"/research/matches/{match}")).status_code == 200
    assert f"/research/matches/{match}" in (await reader.get("/research/matches")).text


def test_no_message_has_a_seed_but_those_of_the_panel() -> None:
    assert "seed" in wire.PanelMember.model_fields
    for message in (wire.State, wire.Moves, wire.Sealed, wire.Asked, wire.Replaced, wire.Ended, wire.Problem):
        assert "seed" not in message.model_fields


# -------------------------------------------------------------- an attacker who has the seed and the source, and waits


def waiting_times(secret: bytes, seat: int) -> list[float]:
    """How long a program seems to think about its decisions in a match with this secret."""
    nothing = (0.0,) * len(FEATURES)
    return [thinking_ms(PRIOR, secret, seat, Situation("choice", number, nothing)) for number in range(DECISIONS)]


LABELS: tuple[Callable[[int, int], str], ...] = (
    lambda seat, number: f"decision{seat}:{number}",
    lambda seat, number: f"lasting{seat}:{number}",
    lambda seat, number: f"ply{number}:{seat}",
)
"""Whatever numbers the source derives for a decision."""


def suspicion(known: bytes, seat: int, times: list[float]) -> float:
    """How well numbers that follow from what is known foretell the order of the waiting times."""
    ranks = np.argsort(np.argsort(times))
    numbers = [[uniform(known, label(seat, number)) for number in range(len(times))] for label in LABELS]
    return max(float(np.corrcoef(ranks, one)[0, 1]) for one in numbers)


@pytest.mark.parametrize("leaks", [False, True])
async def test_waiting_times_do_not_follow_from_the_seed(database: Database, settings: Settings, leaks: bool) -> None:
    """An attacker who correlated the two was right about 84 of 84 seats when both came from one seed; the same attacker
    with the secret in hand is right again, so that finding nothing means something."""
    people: list[Visitor] = await visitors(database, settings, 1)
    found = []
    async with database.transaction() as session:
        for _ in range(40):
            match = await Seating(LiveConfig()).seat(session, [people[0].person_id])
            known = match.secret if leaks else match.dice_seed
            found.append(suspicion(known, 1, waiting_times(match.secret, 1)))
            assert match.secret != match.dice_seed
    chance = [suspicion(b"nothing known", 1, waiting_times(bytes([n]), 1)) for n in range(200)]
    as_good_as_chance = np.mean([one > np.median(chance) for one in found])
    assert as_good_as_chance > 0.9 if leaks else 0.2 < as_good_as_chance < 0.8


# --------------------------------------------------------------------------------------------- what everybody can read


async def test_no_public_page_tells_whether_somebody_is_around(
    database: Database, settings: Settings, client: PageClient
) -> None:
    """Who waits or plays alone would know what that means."""

    async def told() -> list[str]:
        pages = [await client.get(place) for place in ("/", "/health", "/status", "/practice", "/rules")]
        assert [page.status_code for page in pages] == [200] * len(pages)
        return [re.sub(r"\b[0-9a-f]{64}\b", "TOKEN", page.text) for page in pages]

    await told()  # the first answers bring cookies
    before = await told()
    first, second, third = await visitors(database, settings, 3)
    await played_match(database, [first, second])
    await Lobby(database, Seating(LiveConfig(pace=1000)), "test").join(third.person_id, "jostle:standard")
    assert await told() == before


async def test_how_many_are_connected_is_told_to_the_monitoring_alone(app: FastAPI) -> None:
    transport = httpx.ASGITransport(app, client=("203.0.113.1", 1))
    async with PageClient(transport=transport, base_url=BASE_URL) as stranger:
        assert (await stranger.get("/metrics")).status_code == 403
