"""The same match twice, once with a person where the other time a program sits: an observer is told the same.

Byte by byte, times and the number of the match left out: every frame until the end, and every page, file and header
that the observer can ask for before answering who was who.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from sqlalchemy import select
from sqlalchemy.orm import selectinload

from games import dice
from games.protocol import CHANCE
from games.registry import game as find_game
from npc.follower import Follower
from npc.players import player
from server.accounts.owndata import pieces
from server.base.settings import Settings
from server.live.config import LiveConfig
from server.live.models import Match
from server.matchmaking.seating import Seating
from server.storage.database import Database
from server.study.settings import change_setting
from tests.server.live.clients import Choose, SeatClient, Visitor, visitors
from tests.server.live.conftest import LocalServer
from tests.servers import PLAIN

OBSERVER = 0
SEED, SECRET = bytes(range(32)), bytes(range(32, 64))
CASES = [
    ("jostle:standard", "browsers"),
    ("jostle:standard", "server"),
    ("tic-tac-toe:standard", "browsers"),
    ("tic-tac-toe:standard", "server"),
    ("tricks:standard", "server"),
]
PLACES = (
    "/matches/{}",
    "/api/matches/{}",
    "/api/matches/{}/course",
    "/api/matches/{}/dice",
    "/matches/{}/book",
    "/matches/{}/verify",
    "/matches",
)
AFTERWARDS = (*PLACES, "/matches/{}/questionnaire", "/questionnaires", "/account", "/account/my-data", "/lobby")

RANDOM = ("date", "set-cookie", "x-request-id", "content-length")
"""Headers that differ from answer to answer; the length is that of the text, which is compared."""

# What may differ: the number of the match, when it was and how long it took, tokens against forgery, and who looks.
FREE = {
    r"\b{match}\b": "MATCH",
    r"\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|\+00:00)?": "TIME",
    r"[A-Z][a-z]{{2}} \d\d?, \d{{4}}, \d\d:\d\d UTC": "TIME",
    r"\b[0-9a-f]{{64}}\"( |>)": "TOKEN",
    r"\b(p-[0-9a-f]{{12}}|[0-9a-f]{{32}}@example.org)\b": "OBSERVER",
    r"(\"|&#34;)(ms|starts_ms|clock_ms)(\"|&#34;): ?\d+": "MILLISECONDS",
    r"\bms=\d+": "MILLISECONDS",
}


def masked(text: str, match: int) -> str:
    for pattern, name in FREE.items():
        text = re.sub(pattern.format(match=match), name, text)
    return text


def plays_like(member: Mapping[str, str], reference: str, seat: int) -> Choose:
    """A person who happens to play like a program."""
    rules = find_game(reference)
    mind = Follower(rules, player(member["player"], reference), member["seed"], seat if rules.secrets else None)

    async def choose(client: SeatClient) -> str:
        for text in client.moves[mind.ply :]:
            dealt = mind.position.to_act == CHANCE  # of which a seat need not see everything
            mind.follow([dice.draw(SEED, mind.ply, mind.position) if dealt else rules.move(text)])
        return str(mind.decide(seat).move)

    return choose


async def seated(
    database: Database, reference: str, persons: Mapping[int, Visitor], panel: list[Any] | None
) -> tuple[int, list[Any]]:
    """A match of given fate with these persons, and on every other seat the member of the panel with its number."""
    async with database.transaction() as session:
        match = await Seating(LiveConfig()).seat(
            session, [persons[OBSERVER].person_id], random.Random(1), game=reference
        )
        match.dice_seed, match.commitment, match.secret = SEED, dice.commitment(SEED), SECRET
        match.panel = panel or match.panel
        for place in match.seats:
            person = persons.get(place.seat)
            place.person_id = None if person is None else person.person_id
            place.member = place.seat if person is None else None
            place.strategy = match.panel[place.seat]["name"] if person is None else None
            place.gone_at = None if person is None else match.created_at
        return match.id, match.panel


async def asked(url: str, observer: Visitor, match: int, places: tuple[str, ...]) -> list[str]:
    """Every answer with its status and headers."""
    told = []
    async with httpx.AsyncClient(base_url=url, headers=observer.headers, **PLAIN) as browser:
        for place in places:
            answer = await browser.get(place.format(match), headers={"accept": "text/html, application/json"})
            headers = {name: value for name, value in answer.headers.items() if name not in RANDOM}
            told.append(masked(f"{place} {answer.status_code} {headers} {answer.text}", match))
    return told


async def everything(
    server: LocalServer,
    database: Database,
    match: int,
    persons: Mapping[int, Visitor],
    panel: list[Any],
    reference: str,
) -> tuple[list[str], list[str]]:
    """All frames that the observer got, and all answers to what the observer asked."""
    clients = {seat: SeatClient(server.url, str(match), person) for seat, person in persons.items()}
    for client in clients.values():
        await client.open()
    observer = persons[OBSERVER]
    pages = await asked(server.url, observer, match, PLACES)
    await asyncio.gather(
        *(client.play_on(plays_like(panel[seat], reference, seat)) for seat, client in clients.items())
    )
    watching = clients[OBSERVER]
    assert watching.ended is not None
    pages += await asked(server.url, observer, match, AFTERWARDS)
    async with database.sessions() as session:
        own = [piece.decode() async for piece in pieces(session, observer.person_id, {})]
    return [masked(one.text, match) for one in watching.received], [*pages, masked("\n".join(own), match)]


@pytest.mark.parametrize(("reference", "where"), CASES)
async def test_nothing_tells_who_was_swapped(
    server: LocalServer, database: Database, settings: Settings, reference: str, where: str
) -> None:
    async with database.transaction() as session:
        await change_setting(session, "programs_think", where, changed_by="test")
        await change_setting(session, "games", [reference], changed_by="test")
        await change_setting(
            session, "move_clock", 3600, changed_by="test"
        )  # a busy machine must not make anybody late
    await database.pool.execute("ALTER TABLE matches ALTER id RESTART WITH 700001")  # to be found again in any text
    seats = len(find_game(reference).seats)
    people = await visitors(database, settings, 4)
    with_person = dict(zip((OBSERVER, 1), people[:2], strict=True))
    with_program = {OBSERVER: people[2]} | ({2: people[3]} if seats > 2 else {})
    one, panel = await seated(database, reference, with_person, None)
    other, _ = await seated(database, reference, with_program, panel)
    first, second = await asyncio.gather(
        everything(server, database, one, with_person, panel, reference),
        everything(server, database, other, with_program, panel, reference),
    )
    async with database.sessions() as session:
        matches = await session.scalars(select(Match).options(selectinload(Match.moves)))
        played = [[move.move for move in match.moves] for match in matches]
    assert played[0] == played[1], "else this compares nothing"
    assert first[0] == second[0]
    for here, there in zip(first[1], second[1], strict=True):
        assert here == there
    assert len(first[0]) > 5


@pytest.fixture
def live_environment(live_environment: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Everybody has come before the match begins."""
    live_environment.setenv("GRINTU_LIVE_START_DELAY", "PT250S")
    return live_environment
