"""A client that takes everything apart that it can get learns in a game with secrets only what its seat may know.

Frames, pages, addresses for programs, before the end: the other hand stands in none of them, and neither does the dice
seed, from which the deal follows, nor the secret, from which times follow.
"""

from __future__ import annotations

import asyncio
import re

import httpx
import pytest

from games.registry import game
from server.live.models import Match
from server.live.wire import messages as wire
from server.storage.database import Database
from server.study.settings import change_setting
from tests.server.live.clients import SeatClient
from tests.server.live.conftest import LocalServer, Party, Seat
from tests.server.live.test_sealed import TRICKS, listening, play

ONE_CARD = "gdl:one-card"
PATHS = (
    "/matches/{match}",
    "/matches/{match}/book",
    "/matches/{match}/verify",
    "/api/matches/{match}",
    "/api/matches/{match}/dice",
)


async def hands(database: Database, match: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What was dealt."""
    deal = await database.pool.fetchval("SELECT move FROM match_moves WHERE match_id = $1 AND ply = 0", match)
    move = game(TRICKS).move(deal)
    left, right = move.hands
    return left, right


def cards_in(texts: list[str]) -> set[int]:
    """Every number from 1 to 12 that stands in moves, positions, events, facts or legal moves."""
    return {int(number) for text in texts for number in re.findall(r"\d+", text)} & set(range(1, 13))


def told(message: wire.Message) -> list[str]:
    """What a message says about the game; times and plies are numbers, too, but of something else."""
    if isinstance(message, wire.State | wire.Moves):
        grid = message.shown.grid
        events = [text for event in message.events for text in event] if isinstance(message, wire.Moves) else []
        sealed = [message.sealed or ""] if isinstance(message, wire.State) else []
        assert grid is None
        return [*message.moves, message.position, *message.legal, *message.shown.facts, *events, *sealed]
    return [message.move] if isinstance(message, wire.Sealed) else []


def without_tricks(texts: list[str]) -> list[str]:
    """Facts count how many cards a hand has, and number the tricks."""
    return [text for text in texts if not text.startswith(("cards(", "trick("))]


async def read_everything(server: LocalServer, client: SeatClient) -> list[str]:
    """What the match's addresses answer to one of its players."""
    found = []
    async with httpx.AsyncClient(base_url=server.url, headers=client.visitor.headers) as browser:
        for path in PATHS:
            for accept in ("text/html", "application/json"):
                answer = await browser.get(path.format(match=client.match), headers={"accept": accept})
                assert answer.status_code in (200, 409), path
                if answer.status_code == 200:
                    assert path == "/matches/{match}", f"{path} must wait for the end"
                found.append(answer.text)
    return found


async def after_one_card(party: Party) -> tuple[SeatClient, SeatClient]:
    """One has laid a card, the other has not."""
    await asyncio.gather(*(client.until(lambda c=client: c.my_turn) for client in party.clients))  # type: ignore[misc]  # mypy does not see the default argument
    first, second = party.clients
    await play(first)
    await first.until(lambda: first.sealed is not None)
    return first, second


@pytest.mark.parametrize("reconnects", [False, True])
async def test_nothing_before_the_end_carries_the_other_hand(
    database: Database, server: LocalServer, seat: Seat, reconnects: bool
) -> None:
    party = await seat(persons=2, game=TRICKS)
    async with listening(*party.clients):
        first, second = await after_one_card(party)
        dealt = await hands(database, party.match)
        async with database.sessions() as session:
            match = await session.get_one(Match, party.match)
            seeds = {match.dice_seed.hex(), match.secret.hex(), *(str(one["seed"]) for one in match.panel)}
        if reconnects:
            for client in party.clients:
                await client.say(wire.Hello(ply=0))
                await client.until(lambda c=client: len(c.of_type(wire.State)) == 2)  # type: ignore[misc]  # as above
        for client in (first, second):
            frames = [one.text for one in client.received]
            texts = without_tricks([text for one in client.received for text in told(one.message)])
            assert cards_in(texts) == set(dealt[client.seat]), "the own hand and no other card"
            pages = await read_everything(server, client)
            for text in [*frames, *pages]:
                assert not [seed for seed in seeds if seed in text]
            other = ",".join(map(str, dealt[1 - client.seat]))
            assert not [text for text in [*frames, *pages] if other in text]
        other_frames = [one.message for one in second.received]
        assert not [one for one in other_frames if isinstance(one, wire.Sealed)]


@pytest.mark.parametrize("reconnects", [False, True])
async def test_a_described_game_tells_nobody_the_other_card(
    database: Database, server: LocalServer, seat: Seat, reconnects: bool
) -> None:
    async with database.transaction() as session:
        await change_setting(session, "move_clock", 3600, changed_by="test")  # nobody is late, however busy the machine
    party = await seat(persons=2, game=ONE_CARD)
    async with listening(*party.clients):
        for client in party.clients:
            await client.until(lambda c=client: c.seat >= 0)  # type: ignore[misc]  # as above
        first, second = sorted(party.clients, key=lambda client: client.seat)
        await first.until(lambda: first.my_turn)
        await first.say(wire.Play(ply=first.ply, move="bet"))
        await second.until(lambda: second.my_turn)
        deal = await database.pool.fetchval("SELECT move FROM match_moves WHERE match_id = $1 AND ply = 0", party.match)
        dealt = re.findall(r"\d", deal)
        async with database.sessions() as session:
            match = await session.get_one(Match, party.match)
            seeds = {match.dice_seed.hex(), match.secret.hex(), *(str(one["seed"]) for one in match.panel)}
        if reconnects:
            for client in party.clients:
                await client.say(wire.Hello(ply=0))
                await client.until(lambda c=client: len(c.of_type(wire.State)) == 2)  # type: ignore[misc]  # as above
        for client in (first, second):
            everything = [*(one.text for one in client.received), *await read_everything(server, client)]
            shown = {card for text in everything for card in re.findall(r"card\W{1,3}(\d)", text)}
            assert shown == {dealt[client.seat]}, "the own card and no other"
            assert not [text for text in everything if re.search(r"holds|deal\W{1,3}\d", text)]
            assert not [text for text in everything for each in seeds if each in text]


async def test_nobody_can_propose_or_play_for_another_seat(database: Database, seat: Seat) -> None:
    party = await seat(persons=2, game=TRICKS)
    async with listening(*party.clients):
        first, second = await after_one_card(party)
        dealt = await hands(database, party.match)
        foreign = str(dealt[first.seat][0])
        await second.say(wire.Play(ply=second.ply, move=foreign))
        await second.until(lambda: len(second.problems) == 1)
        assert second.problems[0].code == "illegal_move"
        await second.say(wire.Propose(ply=second.ply, seat=first.seat, choices=[foreign]))
        await second.until(lambda: len(second.problems) == 2)
        assert second.problems[1].code == "bad_message"
        count = "SELECT count(*) FROM sealed_moves WHERE match_id = $1"
        assert await database.pool.fetchval(count, party.match) == 1
