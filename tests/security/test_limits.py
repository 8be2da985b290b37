"""Nobody can fill the server's memory, its connections or its tables: heads, bodies, uploads, sockets and answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.exceptions import HTTPException
from websockets.asyncio.client import connect

from games.book import Book
from npc.prolog.host import current_host
from npc.prolog.memory import SESSIONS
from npc.prolog.rulebase import RuleBase
from server.accounts.limits import LIMITS
from server.bodies import LimitBodies
from server.clock import ManualClock
from server.database import Database
from server.exports.tables import Column, Kind
from server.exports.writers import csv_cell
from server.heads import BoundedHeads
from server.live.config import LiveConfig
from server.prolog import Limits, start_engine
from server.rule_bases import service, trial
from server.settings import Settings
from server.study.settings import StudySettings
from tests.conftest import SignIn
from tests.fuzz import log as fuzz_log
from tests.fuzz.frames import TEXT, RawSocket, close_frame, frame
from tests.server.live.clients import visitors
from tests.server.live.conftest import LocalServer
from tests.servers import PageClient

# ----------------------------------------------------------------------------------------------------- heads and bodies


class Hasty(BoundedHeads):
    seconds = 0.2


@asynccontextmanager
async def listening(protocol: type[BoundedHeads]) -> AsyncIterator[int]:
    async def app(scope: dict[str, object], receive: object, send: object) -> None:
        assert callable(send)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    config = uvicorn.Config(app, port=0, http=protocol, lifespan="off", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    task = asyncio.create_task(server._serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event to wait for
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await task


async def answer_to(port: int, *pieces: bytes) -> bytes:
    """What comes back until the server hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        return await asyncio.wait_for(reader.read(), 30)
    except ConnectionError:
        return b"reset"
    finally:
        writer.close()


async def test_a_head_that_does_not_end_is_cut_off() -> None:
    async with listening(BoundedHeads) as port:
        head = b"GET / HTTP/1.1\r\nHost: x\r\nX: "
        said = await answer_to(port, head, *[b"a" * 60_000] * 40)
        assert said == b"reset" or b"400 Bad Request" in said
        good = head + b"a" * 40_000
        last = good + b"\r\nConnection: close\r\n\r\n"
        several = [good + b"\r\n\r\n", good + b"\r\n\r\n", last]
        assert (await answer_to(port, *several)).count(b"204 No Content") == 3, "each head counts for itself"


async def test_who_opens_a_connection_and_says_nothing_is_hung_up_on() -> None:
    async with listening(Hasty) as port:
        assert await answer_to(port) == b""
        assert await answer_to(port, b"GET / HTTP/1.1\r\nHost:") == b""


async def test_a_body_that_never_comes_is_given_up() -> None:
    async def reads_all(_scope: object, receive: object, _send: object) -> None:
        assert callable(receive)
        while (await receive()).get("more_body"):
            pass

    async def never() -> dict[str, object]:
        await asyncio.sleep(60)
        return {}

    async def nothing(_message: object) -> None: ...

    with pytest.raises(HTTPException) as refused:
        await LimitBodies(reads_all, seconds=0.05)({"type": "http"}, never, nothing)
    assert refused.value.status_code == 408


# -------------------------------------------------------------------------------------------------------------- uploads


@pytest.fixture(scope="module")
def hasty_engine() -> None:
    start_engine(limits=Limits(fuel=20_000_000, load_fuel=200_000_000, seconds=2.0))


ENDLESS = "% Endless\n:- initialization((repeat, fail)).\nmove(_, _).\n"


async def test_a_script_that_never_finishes_loading_is_refused(
    client: PageClient, sign_in: SignIn, hasty_engine: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "engine", current_host)
    await sign_in("researcher")
    answer = await client.post("/research/rule-bases", data={"script": ENDLESS})
    assert answer.status_code == 422
    assert "too many steps" in answer.text


async def test_trials_are_rationed(clock: ManualClock, client: PageClient, sign_in: SignIn) -> None:
    await sign_in("researcher")
    statuses = {(await client.post("/research/rule-bases", data={"script": ""})).status_code for _ in range(20)}
    assert statuses == {422}
    assert LIMITS["trial-account"].burst == 20
    assert (await client.post("/research/rule-bases", data={"script": ""})).status_code == 429


def test_a_trial_leaves_no_engine_behind(hasty_engine: None) -> None:
    SESSIONS.clear()
    trial.try_out("% Mute\nmove(_, _) :- fail.\n")
    assert not SESSIONS._seats


@pytest.mark.parametrize("title", ["\x1b[31mred\x07", 'quoted "name"', "two\u2028lines", "\u202egnp.exe", "\x00"])
def test_a_rule_bases_name_can_stand_in_books_and_logs(title: str) -> None:
    name = RuleBase(f"% {title}\nmove(_, _).\n").name
    assert name.isprintable()
    Book((), (("Seats", f"{name[:60]} (rule base 1)"),))


# -------------------------------------------------------------------------------------------------------------- sockets


async def test_nobody_holds_more_lobby_sockets_than_tabs(
    server: LocalServer, database: Database, settings: Settings
) -> None:
    (visitor,) = await visitors(database, settings, 1)
    most = LiveConfig().sockets_per_seat
    address = f"{server.url.replace('http', 'ws', 1)}/live/lobby"
    opened = []
    for _ in range(most + 3):
        opened.append(await connect(address, additional_headers=visitor.headers, compression=None))
        await opened[-1].send('{"type":"join"}')
        await opened[-1].recv()
    assert len(server.live.waiting[visitor.person_id]) == most
    while sum(socket.close_code is not None for socket in opened) < 3:  # noqa: ASYNC110 - three sockets, no event
        await asyncio.sleep(0.01)
    assert [socket.close_reason for socket in opened if socket.close_code == 1000] == ["opened elsewhere"] * 3
    for socket in opened:
        await socket.close()


async def test_broken_text_with_a_goodbye_behind_it_is_no_error_of_ours(
    server: LocalServer, database: Database, settings: Settings
) -> None:
    """Found by fuzzing: both in one piece made uvicorn close the socket twice."""
    (visitor,) = await visitors(database, settings, 1)
    port = int(server.url.rpartition(":")[2])
    with fuzz_log.listening(settings) as complaints:
        socket = await RawSocket.open("127.0.0.1", port, "/live/lobby", visitor.headers)
        assert socket.status == 101
        await socket.send(frame(TEXT, b"\xed\xa0\x80") + close_frame(1000))
        await socket.read_for(30)
        assert socket.reader.at_eof()
        while server.live.waiting.get(visitor.person_id):  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)
    assert complaints.take() == []


def test_every_proposal_of_a_browser_is_checked_unless_a_study_decides_otherwise() -> None:
    """tests/server/live/test_proposals.py shows that a liar then changes nothing."""
    assert StudySettings().check_share == 1.0


# -------------------------------------------------------------------------------------------------------------- exports


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\ufeff=1", "＝1＋1", "\x00=1"]
)
def test_no_text_of_anybody_becomes_a_formula(text: str) -> None:
    assert csv_cell(Column("aim", Kind.TEXT, "what was written"), text) == f"'{text}"


def test_other_texts_are_exported_as_they_are() -> None:
    for text in ("a=b", "1-1", "mia@example", "", "'quoted'"):
        assert csv_cell(Column("aim", Kind.TEXT, "what was written"), text) == text
