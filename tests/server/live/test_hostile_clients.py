"""What a client that does not keep to the rules gets: a defined answer, never a crash, never an advantage."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import websockets
from websockets.asyncio.client import connect

from server.base.settings import Settings
from server.live.wire import messages as wire
from server.storage.database import Database
from tests.server.live.clients import SeatClient, end_login, visitors
from tests.server.live.conftest import LocalServer, Party, Seat


@asynccontextmanager
async def opened(party: Party) -> AsyncIterator[list[SeatClient]]:
    """Both clients connected and listening, at the first turn of one of the persons."""
    listening = []
    for client in party.clients:
        await client.open()
        listening.append(asyncio.create_task(client.listen()))
    turns = [asyncio.create_task(client.until(lambda c=client: c.my_turn)) for client in party.clients]  # type: ignore[misc]  # mypy does not see the default argument
    await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
    for turn in turns:
        turn.cancel()
    newest = max(client.ply for client in party.clients)
    await asyncio.gather(*(client.until(lambda c=client: c.ply == newest) for client in party.clients))  # type: ignore[misc]  # as above
    try:
        yield party.clients
    finally:
        for client in party.clients:
            assert client.socket is not None
            await client.socket.close()
        await asyncio.gather(*listening)


def on_move_first(clients: list[SeatClient]) -> tuple[SeatClient, SeatClient]:
    first, second = clients
    return (first, second) if first.my_turn else (second, first)


async def problem_of(client: SeatClient, message: wire.Message | str) -> wire.Problem:
    """The answer to something that must be refused."""
    known = len(client.problems)
    await (client.say_text(message) if isinstance(message, str) else client.say(message))
    await client.until(lambda: len(client.problems) > known)
    return client.problems[-1]


async def test_each_refusal_names_its_reason_and_changes_nothing(seat: Seat, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "uvicorn.error")
    async with opened(await seat(2)) as clients:
        mover, other = on_move_first(clients)
        ply, before = mover.ply, list(mover.moves)
        foreign = "p0" if mover.seat != 0 else "p8"
        for client, message, code in (
            (other, wire.Play(ply=ply, move=mover.legal[0]), "wrong_turn"),
            (mover, wire.Play(ply=ply, move=foreign), "illegal_move"),
            (mover, wire.Play(ply=ply, move="pass"), "illegal_move"),
            (mover, wire.Play(ply=ply, move="1"), "illegal_move"),
            (mover, wire.Play(ply=ply, move="castle"), "illegal_move"),
            (mover, wire.Play(ply=ply + 1, move=mover.legal[0]), "wrong_ply"),
            (mover, wire.Play(ply=0, move="never"), "wrong_ply"),
            (other, wire.Propose(ply=ply, seat=mover.seat, choices=["p0"]), "bad_message"),
        ):
            assert (await problem_of(client, message)).code == code, message
        assert mover.moves == other.moves == before
    served = [record.getMessage() for record in caplog.records if record.name.startswith("uvicorn")]
    assert not [line for line in served if "cookie" in line.lower() or "TEXT" in line], "no log tells heads or frames"


NO_MESSAGES = (
    "",
    "{",
    "null",
    "[]",
    "7",
    '{"type":"play"}',
    '{"type":"nonsense","ply":1}',
    '{"type":"play","ply":-1,"move":"p0"}',
    '{"type":"play","ply":1e99,"move":"p0"}',
    '{"type":"play","ply":1,"move":""}',
    '{"type":"play","ply":1,"move":"p0","seat":2}',
    '{"type":"propose","ply":1,"choices":[]}',
    json.dumps({"type": "play", "ply": 1, "move": "x" * 201}),
    '{"type":"hello","ply":"many"}',
    "\u0000\U0001f600",
)


async def test_what_is_no_message_is_answered_as_such(seat: Seat) -> None:
    party = await seat(2)
    for text in NO_MESSAGES:
        client = SeatClient(party.clients[0].url, str(party.match), party.clients[0].visitor)
        await client.open()
        listening = asyncio.create_task(client.listen())
        problem = await problem_of(client, text)
        assert problem.code == "bad_message", text
        assert problem.message
        assert client.socket is not None
        await client.socket.close()
        await listening


async def test_broken_messages_end_the_socket_and_not_the_match(seat: Seat) -> None:
    party = await seat(2)
    async with opened(party) as clients:
        for _ in range(5):
            await clients[0].say_text("{")
        assert clients[0].socket is not None
        await clients[0].socket.wait_closed()
        assert clients[0].socket.close_code == 4400
        await clients[1].say(wire.Hello(ply=0))
        await clients[1].until(lambda: len(clients[1].of_type(wire.State)) > 1)


async def test_a_repeated_move_counts_once(seat: Seat) -> None:
    async with opened(await seat(2)) as clients:
        mover, _other = on_move_first(clients)
        ply, move = mover.ply, mover.legal[0]
        for _ in range(5):
            await mover.say(wire.Play(ply=ply, move=move))
        await mover.until(lambda: len(mover.of_type(wire.State)) >= 5)
        assert mover.moves[ply] == move
        assert mover.moves.count(move) == 1 or mover.moves[ply + 1] != move
        assert not mover.problems


async def test_a_different_move_for_a_taken_ply_is_refused(seat: Seat) -> None:
    async with opened(await seat(2)) as clients:
        mover, _other = on_move_first(clients)
        ply = mover.ply
        await mover.say(wire.Play(ply=ply, move=mover.legal[0]))
        problem = await problem_of(mover, wire.Play(ply=ply, move="p99"))
        assert problem.code == "wrong_ply"
        assert problem.ply is not None
        assert problem.ply > ply


async def test_a_move_that_comes_too_early_is_not_kept_for_later(seat: Seat) -> None:
    async with opened(await seat(2)) as clients:
        mover, other = on_move_first(clients)
        early = wire.Play(ply=mover.ply + 2, move=f"p{3 * other.seat}")
        assert (await problem_of(other, early)).code == "wrong_ply"
        await mover.say(wire.Play(ply=mover.ply, move=mover.legal[0]))
        await other.until(lambda: other.ply >= early.ply)
        assert len(other.moves) == early.ply or other.moves[early.ply] != early.move or other.seat == mover.seat


async def test_a_flood_is_answered_and_then_ended(seat: Seat) -> None:
    async with opened(await seat(2)) as clients:
        flooder = clients[0]
        assert flooder.socket is not None
        with pytest.raises(websockets.ConnectionClosed):
            for _ in range(3000):
                await flooder.say(wire.Hello(ply=0))
            await flooder.socket.wait_closed()
            await flooder.say(wire.Hello(ply=0))
        assert flooder.socket.close_code == 4429
        assert [problem.code for problem in flooder.problems] == ["too_fast"]
        assert clients[1].socket is not None
        await clients[1].socket.ping()


@pytest.mark.parametrize("size", [wire.MAX_FRAME + 1, 200_000])
async def test_a_huge_frame_ends_the_socket(seat: Seat, size: int) -> None:
    async with opened(await seat(2)) as clients:
        await clients[0].say_text('"' + "x" * size + '"')
        assert clients[0].socket is not None
        await clients[0].socket.wait_closed()
        assert clients[0].socket.close_code == 1009


async def test_a_binary_frame_ends_the_socket(seat: Seat) -> None:
    async with opened(await seat(2)) as clients:
        assert clients[0].socket is not None
        await clients[0].socket.send(b"\x00\x01")
        await clients[0].socket.wait_closed()
        assert clients[0].socket.close_code == 4400


async def test_a_foreign_origin_gets_no_socket(seat: Seat) -> None:
    party = await seat(2)
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        client = party.clients[0]
        address = f"{client.url.replace('http', 'ws', 1)}/live/matches/{party.match}"
        with pytest.raises(websockets.InvalidStatus) as refused:
            await connect(address, additional_headers={**client.visitor.headers, **headers})
        assert refused.value.response.status_code == 403


async def close_code(address: str, headers: dict[str, str]) -> tuple[int | None, str]:
    """The code with which a socket is turned away, and the problem it is told."""
    async with connect(address, additional_headers=headers) as socket:
        problem = wire.MATCH_SERVER.validate_json(await socket.recv())
        assert isinstance(problem, wire.Problem)
        await socket.wait_closed()
        return socket.close_code, problem.code


async def test_who_may_not_sit_here_is_turned_away(
    seat: Seat, server: LocalServer, database: Database, settings: Settings
) -> None:
    party = await seat(2)
    (stranger,) = await visitors(database, settings, 1)
    (undecided,) = await visitors(database, settings, 1, consent=False)
    (researcher,) = await visitors(database, settings, 1, role="researcher")
    base = server.url.replace("http", "ws", 1)
    address = f"{base}/live/matches/{party.match}"
    member = party.clients[0].visitor
    assert await close_code(address, {}) == (4401, "session_expired")
    assert await close_code(address, {"Cookie": "session=forged.signature"}) == (4401, "session_expired")
    assert await close_code(address, stranger.headers) == (4403, "not_seated")
    assert await close_code(address, researcher.headers) == (4403, "not_seated")
    assert await close_code(f"{base}/live/matches/{party.match + 999}", member.headers) == (4404, "not_seated")
    assert await close_code(f"{base}/live/matches/{2**70}", member.headers) == (4404, "not_seated")
    assert await close_code(f"{base}/live/lobby", undecided.headers) == (4403, "consent_missing")


async def test_a_socket_ends_with_the_session_that_opened_it(
    seat: Seat, server: LocalServer, database: Database
) -> None:
    async with opened(await seat(2)) as clients:
        async with database.sessions() as session:
            await end_login(session, clients[0].visitor)
        await server.live.end_expired_sessions()
        assert clients[0].socket is not None
        await clients[0].socket.wait_closed()
        assert clients[0].socket.close_code == 4401
        assert clients[0].problems[-1].code == "session_expired"
        assert clients[1].socket is not None
        await clients[1].socket.ping()


async def test_two_tabs_of_one_seat_see_the_same_and_move_once(seat: Seat) -> None:
    party = await seat(2)
    async with opened(party) as clients:
        mover, _other = on_move_first(clients)
        tab = SeatClient(mover.url, mover.match, mover.visitor)
        await tab.open()
        listening = asyncio.create_task(tab.listen())
        await tab.until(lambda: tab.ply == mover.ply)
        ply, move = mover.ply, mover.legal[0]
        await asyncio.gather(mover.say(wire.Play(ply=ply, move=move)), tab.say(wire.Play(ply=ply, move=move)))
        await asyncio.gather(*(one.until(lambda o=one: o.ply > ply) for one in (mover, tab)))  # type: ignore[misc]  # mypy does not see the default argument
        assert mover.moves[: ply + 2] == tab.moves[: ply + 2]
        assert tab.socket is not None
        await tab.socket.close()
        await listening
