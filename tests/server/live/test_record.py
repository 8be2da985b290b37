"""What a match leaves behind, who may see it, and the interaction log."""

from __future__ import annotations

import gzip
import json
import random
from datetime import timedelta

import pytest
from httpx import Response
from sqlalchemy import delete, func, select, update

from games import dice
from games.book import read_book, replay
from games.protocol import OVER
from games.registry import game
from server.accounts.models import Person
from server.accounts.owndata import pieces
from server.accounts.sessions import COOKIE
from server.base.clock import now
from server.base.settings import Settings
from server.live.config import LiveConfig
from server.live.models import InteractionBatch, Match, MatchMove, Source
from server.live.records import interactions
from server.live.records.interactions import MOST_BYTES
from server.live.tables import referee
from server.live.wire.messages import MOST_LOGS
from server.matchmaking.seating import Seating
from server.questionnaires.service import open_sheet
from server.storage.database import Database
from server.study.consent import ConsentKind, decide
from tests.downloads import downloaded
from tests.server.live.clients import Visitor, visitors
from tests.servers import PageClient


async def played_match(database: Database, persons: list[Visitor], reference: str | None = None) -> int:
    """A match of these persons that is over: everybody plays the first legal move."""
    async with database.transaction() as session:
        match = await Seating(LiveConfig()).seat(session, [one.person_id for one in persons], game=reference)
        rules = game(match.game)
        progress = referee.begin(rules, match.dice_seed)
        ply = 0
        while True:
            for seat, text in zip(progress.seats, progress.texts, strict=True):
                source = Source.CHANCE if seat < 0 else Source.PERSON
                ms = 0 if seat < 0 else 100 + ply
                session.add(MatchMove(match_id=match.id, ply=ply, seat=seat, move=text, source=source, ms=ms, at=now()))
                ply += 1
            if progress.position.to_act == OVER:
                break
            first = {seat: choice.legal[0] for seat, choice in progress.choices.items()}
            progress = referee.play(rules, progress.position, progress.choices, ply, first, match.dice_seed)
        match.ply, match.ended_at, match.due, match.due_at = ply, now(), None, None
        match.scores, match.winners = list(progress.position.scores()), list(progress.position.winners())
        return match.id


async def answered(database: Database, match: int, person: Visitor) -> None:
    """The person has finished the questionnaire about a match."""
    async with database.transaction() as session:
        sheet = await open_sheet(session, person.person_id, match)
        sheet.finished_at = now()


class Reader:
    """Reads addresses as one visitor."""

    def __init__(self, client: PageClient, visitor: Visitor):
        self.client, self.visitor = client, visitor

    async def get(self, path: str) -> Response:
        self.client.cookies.set(COOKIE, self.visitor.cookie)
        return await self.client.get(path, headers={"accept": "application/json"})

    async def post(self, path: str) -> Response:
        return await self.send(path, b"")

    async def send(self, path: str, body: bytes, **headers: str) -> Response:
        self.client.cookies.set(COOKIE, self.visitor.cookie)
        if not self.client.csrf_token:
            await self.client.get("/")
        return await self.client.post(path, content=body, headers={"accept": "application/json", **headers})


async def test_participants_see_the_match_but_not_who_was_who(
    database: Database, settings: Settings, client: PageClient
) -> None:
    persons = await visitors(database, settings, 2)
    match = await played_match(database, persons)
    reader = Reader(client, persons[0])

    seen = (await reader.get(f"/api/matches/{match}")).json()
    assert seen["seats"] is None
    assert seen["ended"]
    told = replay(read_book((await reader.get(f"/matches/{match}/book")).text))
    assert told.over
    assert list(told.position.scores()) == seen["scores"]
    course = (await reader.get(f"/api/matches/{match}/course")).json()
    assert (course["you"], course["scores"], course["winners"]) == (seen["you"], seen["scores"], seen["winners"])
    assert course["decisions"] == sum(move["seat"] >= 0 for move in seen["moves"])
    assert course["lead"]["leaders"] == seen["winners"]
    assert "PALS" not in (await reader.get(f"/matches/{match}/book")).text
    assert told.book.lines[0].notes["die"]

    await answered(database, match, persons[0])
    told = replay(read_book((await reader.get(f"/matches/{match}/book")).text))
    assert told.book.lines[0].notes["ms"].isdigit()
    checked = (await reader.get(f"/api/matches/{match}/dice")).json()
    assert dice.verify(game(checked["game"]), checked["seed"], checked["commitment"], checked["moves"]).fair


async def test_researchers_see_who_was_who_and_strangers_nothing(
    database: Database, settings: Settings, client: PageClient
) -> None:
    people = await visitors(database, settings, 2)
    match = await played_match(database, people)
    (researcher,) = await visitors(database, settings, 1, role="researcher")
    (stranger,) = await visitors(database, settings, 1)
    seats = (await Reader(client, researcher).get(f"/api/matches/{match}")).json()["seats"]
    assert sorted(one["person"] for one in seats) == [False, True, True]
    async with database.sessions() as session:
        ids = [one.person_id for one in people]
        pseudonyms = (await session.scalars(select(Person.pseudonym).where(Person.id.in_(ids)))).all()
    book = (await Reader(client, researcher).get(f"/matches/{match}/book")).text
    assert all(pseudonym in book for pseudonym in pseudonyms)
    places = ("/api/matches/{}", "/api/matches/{}/course", "/api/matches/{}/dice", "/matches/{}/book", "/matches/{}")
    for place in (*places, "/matches/{}/thanks"):
        assert (await Reader(client, stranger).get(place.format(match))).status_code == 404
    assert (await Reader(client, stranger).get(f"/api/matches/{2**80}")).status_code == 404


async def test_nothing_is_told_before_the_end(database: Database, settings: Settings, client: PageClient) -> None:
    (person,) = await visitors(database, settings, 1)
    async with database.transaction() as session:
        match = (await Seating(LiveConfig()).seat(session, [person.person_id])).id
    reader = Reader(client, person)
    for path in ("/api/matches/{}", "/matches/{}/book", "/api/matches/{}/dice", "/api/matches/{}/course"):
        assert (await reader.get(path.format(match))).status_code == 409


def batch(number: int, events: int = 3) -> bytes:
    listed = [{"t": 16 * n, "kind": "pointer", "x": n, "y": 2 * n} for n in range(events)]
    return json.dumps({"number": number, "events": listed}).encode()


async def test_the_interaction_log_is_kept_once_compressed_and_can_be_withdrawn(
    database: Database, settings: Settings, client: PageClient
) -> None:
    (person,) = await visitors(database, settings, 1)
    match = await played_match(database, [person])
    reader, path = Reader(client, person), f"/api/matches/{match}/interactions"
    assert (await reader.send(path, batch(0, 1500))).status_code == 204
    packed = gzip.compress(batch(1))
    assert (await reader.send(path, packed, **{"content-encoding": "gzip"})).status_code == 204
    assert (await reader.send(path, batch(0))).status_code == 204, "a repeated batch is acknowledged"
    async with database.sessions() as session:
        kept = (await session.scalars(select(InteractionBatch).order_by(InteractionBatch.number))).all()
        assert [one.events for one in kept] == [1500, 3]
        assert len(kept[0].data) < len(batch(0, 1500)) / 3
        mine = json.loads(b"".join([piece async for piece in pieces(session, person.person_id, {})]))
        assert [len(kept["events"]) for kept in mine["interaction_log"]] == [1500, 3]
        assert mine["matches"][0]["match"] == match
    async with database.transaction() as session:
        await decide(session, person.person_id, {ConsentKind.INTERACTION_LOG: False})
    async with database.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(InteractionBatch)) == 0
    assert (await reader.send(path, batch(2))).status_code == 403


async def test_nobody_can_send_a_log_without_end_nor_long_after_the_match(
    database: Database, settings: Settings, client: PageClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interactions, "MOST_EVENTS", 1000)
    (person,) = await visitors(database, settings, 1)
    match = await played_match(database, [person])
    reader, path = Reader(client, person), f"/api/matches/{match}/interactions"
    for number in range(6):
        assert (await reader.send(path, batch(number, 400))).status_code == 204
    async with database.transaction() as session:
        assert await session.scalar(select(func.sum(InteractionBatch.events))) == 1200, "full after the third"
        await session.execute(delete(InteractionBatch))
        await session.execute(update(Match).values(ended_at=Match.ended_at - timedelta(hours=1)))
    for late in (batch(9), b"{"):
        assert (await reader.send(path, late)).status_code == 410, "before anybody reads it"
    async with database.transaction() as session:
        page = interactions.Page.of(match, person.person_id, interactions.read_batch(batch(9), ""))
        await interactions.keep(session, [page])  # as sockets do
        assert await session.scalar(select(func.count()).select_from(InteractionBatch)) == 0


async def test_the_log_of_a_match_is_limited_in_bytes(
    database: Database, settings: Settings, client: PageClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interactions, "MOST_KEPT", 5000)
    (person,) = await visitors(database, settings, 1)
    match = await played_match(database, [person])
    reader, path = Reader(client, person), f"/api/matches/{match}/interactions"
    chance = random.Random("bytes")
    for number in range(4):
        events = [{"t": n, "kind": "key", "key": chance.randbytes(20).hex()} for n in range(100)]
        body = json.dumps({"number": number, "events": events}).encode()
        assert (await reader.send(path, body)).status_code == 204
    async with database.transaction() as session:
        sizes = [len(one.data) for one in await session.scalars(select(InteractionBatch))]
        assert sum(sizes[:-1]) < 5000 <= sum(sizes)
        await session.execute(delete(InteractionBatch))
        listed = [
            interactions.Page.of(match, person.person_id, interactions.read_batch(body, ""))._replace(number=number)
            for number in range(4)
        ]
        await interactions.keep(session, listed)  # as sockets do, several at once
        assert await session.scalar(select(func.count()).select_from(InteractionBatch)) == len(sizes)


async def test_the_page_of_ones_data_reads_no_log_and_the_download_never_holds_it_whole(
    database: Database, settings: Settings, client: PageClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    (person,) = await visitors(database, settings, 1)
    match = await played_match(database, [person])
    reader, path = Reader(client, person), f"/api/matches/{match}/interactions"
    for number in range(30):
        assert (await reader.send(path, batch(number, 50))).status_code == 204
    unpacked: list[int] = []
    genuine = interactions._entry

    def counting(batch: InteractionBatch) -> bytes:
        unpacked.append(batch.number)
        return genuine(batch)

    monkeypatch.setattr(interactions, "_entry", counting)
    page = await reader.get("/account/my-data")
    assert "<dd>1,500</dd>" in page.text
    assert unpacked == []
    async with database.sessions() as session:
        async for _ in interactions.my_interactions(session, person.person_id):
            break
        assert len(unpacked) == interactions.UNPACKED_AT_ONCE, "the rest is still packed when the first is sent"
    whole = (await downloaded(reader, database)).json()
    assert [entry["number"] for entry in whole["interaction_log"]] == list(range(30))


@pytest.mark.parametrize(
    ("body", "encoding", "status"),
    [
        (b"{", "", 422),
        (b'{"number": 0, "events": [{"t": 1, "kind": "password"}]}', "", 422),
        (b'{"number": 0, "events": [{"t": 1, "kind": "key", "key": "' + b"x" * 60 + b'"}]}', "", 422),
        (batch(MOST_LOGS), "", 422),
        (batch(0, 2001), "", 422),
        (b" " * (MOST_BYTES + 1), "", 413),
        (gzip.compress(b" " * 50_000_000), "gzip", 413),
        (b"no gzip", "gzip", 422),
        (batch(0), "br", 422),
    ],
)
async def test_what_is_no_batch_is_refused(
    database: Database, settings: Settings, client: PageClient, body: bytes, encoding: str, status: int
) -> None:
    (person,) = await visitors(database, settings, 1)
    async with database.transaction() as session:
        match = (await Seating(LiveConfig()).seat(session, [person.person_id])).id
    headers = {"content-encoding": encoding} if encoding else {}
    sent = await Reader(client, person).send(f"/api/matches/{match}/interactions", body, **headers)
    assert sent.status_code == status


async def test_only_those_who_sit_there_may_log(database: Database, settings: Settings, client: PageClient) -> None:
    person, stranger = await visitors(database, settings, 2)
    async with database.transaction() as session:
        match: Match = await Seating(LiveConfig()).seat(session, [person.person_id])
        match_id = match.id
    assert (await Reader(client, stranger).send(f"/api/matches/{match_id}/interactions", batch(0))).status_code == 404
