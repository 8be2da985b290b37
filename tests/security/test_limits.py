"""Nobody can fill the server's memory, its connections or its tables: heads, bodies, uploads, sockets and answers."""

from __future__ import annotations

import asyncio
import io
import re
import zipfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from socket import SO_RCVBUF, SO_SNDBUF, SOL_SOCKET
from socket import socket as plain_socket
from typing import Any

import pytest
import uvicorn
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from websockets.asyncio.client import connect

from games.book import Book
from games.protocol import LONGEST_MOVE
from games.registry import game
from npc.panel import LARGEST_PANEL, propose
from npc.prolog import rule_base
from npc.prolog.memory import SESSIONS
from server.accounts.limits import LIMITS
from server.base import spreadsheets
from server.base.clock import ManualClock
from server.base.settings import Settings
from server.base.spreadsheets import CsvRows
from server.exports.tables import Column, ColumnKind, Table
from server.exports.writers import XlsxWriter, csv_cell
from server.live.config import LiveConfig
from server.live.sockets import connection
from server.live.wire.messages import MAX_FRAME, Propose
from server.matchmaking.seating import Seating
from server.prolog import Limits, start_engine
from server.rule_bases import trial
from server.storage.database import Database
from server.study.settings import StudySettings
from server.web.bodies import LimitBodies
from server.web.heads import BoundedHeads
from tests.conftest import SignIn
from tests.fuzz import log as fuzz_log
from tests.fuzz.frames import TEXT, RawSocket, close_frame, frame
from tests.server.live.clients import visitors
from tests.server.live.conftest import LocalServer
from tests.servers import PageClient

# ----------------------------------------------------------------------------------------------------- heads and bodies


class Hasty(BoundedHeads):
    seconds = 0.2
    unread_seconds = 0.2


async def nothing_to_say(_scope: object, _receive: object, send: object) -> None:
    assert callable(send)
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


@asynccontextmanager
async def listening(protocol: type[BoundedHeads], app: Callable[..., Any] = nothing_to_say) -> AsyncIterator[int]:
    config = uvicorn.Config(
        app, port=0, http=protocol, lifespan="off", log_config=None, access_log=False, timeout_keep_alive=1
    )
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


@pytest.mark.parametrize("size", [20_000_000, 50_000], ids=["in the middle", "at the end"])
async def test_who_asks_and_does_not_read_is_hung_up_on(size: int) -> None:
    """Each held a connection and the file that was sent to it."""
    answered, held = asyncio.Event(), set[object]()

    class Watched(Hasty):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
            transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, 4096)
            super().connection_made(transport)
            held.add(self)

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            held.discard(self)

    async def talkative(_scope: object, _receive: object, send: object) -> None:
        assert callable(send)
        try:
            length = (b"content-length", b"%d" % size)
            await send({"type": "http.response.start", "status": 200, "headers": [length]})
            for _ in range(size // 50_000):
                await send({"type": "http.response.body", "body": bytes(50_000), "more_body": True})
            await send({"type": "http.response.body"})
        finally:
            answered.set()

    async with listening(Watched, talkative) as port:
        with plain_socket() as silent:
            silent.setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
            silent.setblocking(False)
            await asyncio.get_running_loop().sock_connect(silent, ("127.0.0.1", port))
            await asyncio.get_running_loop().sock_sendall(silent, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            async with asyncio.timeout(20):
                await answered.wait()
                while held:  # noqa: ASYNC110 - there is no event to wait for
                    await asyncio.sleep(0.01)


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


async def test_a_script_that_never_finishes_loading_is_refused(client: PageClient, sign_in: SignIn) -> None:
    await sign_in("researcher")
    answer = await client.post("/research/rule-bases", data={"script": ENDLESS})
    assert answer.status_code == 422
    assert "too many steps" in answer.text or "too much time" in answer.text


async def test_trials_are_rationed(clock: ManualClock, client: PageClient, sign_in: SignIn) -> None:
    await sign_in("researcher")
    statuses = {(await client.post("/research/rule-bases", data={"script": ""})).status_code for _ in range(20)}
    assert statuses == {422}
    assert LIMITS["trial-account"].burst == 20
    assert (await client.post("/research/rule-bases", data={"script": ""})).status_code == 429


def test_a_trial_leaves_no_engine_behind(hasty_engine: None) -> None:
    SESSIONS.clear()
    trial.try_out("% Mute\nmove(_, _) :- fail.\n", game("jostle"))
    assert not SESSIONS._seats


@pytest.mark.parametrize("title", ["\x1b[31mred\x07", 'quoted "name"', "two\u2028lines", "\u202egnp.exe", "\x00"])
def test_a_rule_bases_name_can_stand_in_books_and_logs(title: str) -> None:
    name = rule_base(f"% {title}\nmove(_, _).\n", game("jostle")).name
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


async def test_nobody_holds_more_sockets_of_a_match_than_tabs_however_quickly_they_are_opened(
    server: LocalServer, database: Database, settings: Settings
) -> None:
    """Even if none of those that are closed goes away."""
    (visitor,) = await visitors(database, settings, 1)
    async with database.transaction() as session:
        match = (await Seating(LiveConfig()).seat(session, [visitor.person_id])).id
    house = server.live.house
    table = await house.table(match)
    assert table is not None
    seat = next(number for number, place in enumerate(table.places) if place.member is None)
    reader = NeverReads()
    opened = [
        connection.Connection(reader.send, visitor.person_id, visitor.session_id, seat)  # type: ignore[arg-type]  # ASGI
        for _ in range(9)
    ]
    for one in opened:
        await house.join(table, one)
    assert [one.closed for one in opened] == [True] * 5 + [False] * 4
    assert LiveConfig().sockets_per_seat == 4
    reader.gone.set()
    for one in opened:
        await house.leave(table, one)


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


def test_a_share_of_the_proposals_is_checked_unless_a_study_decides_otherwise() -> None:
    """tests/server/live/test_proposals.py shows that a browser that was caught once is not believed again."""
    assert StudySettings().check_share == 0.1


def test_the_wire_and_the_worker_take_the_largest_panel_that_a_study_can_choose_and_no_larger_one() -> None:
    largest = StudySettings.model_json_schema()["properties"]["panel_size"]["maximum"]
    assert Propose.model_json_schema()["properties"]["choices"]["maxItems"] == largest == LARGEST_PANEL
    longest = Propose(ply=100_000, seat=3, choices=["m" * LONGEST_MOVE] * largest)
    assert len(longest.model_dump_json()) <= MAX_FRAME
    with pytest.raises(ValidationError):
        Propose(ply=1, seat=0, choices=[None] * (largest + 1))
    member = ("composed:RANDOMIZER", "s")
    assert len(propose("ten", [], [member] * largest, 0)) == largest
    with pytest.raises(ValueError, match="at most"):
        propose("ten", [], [member] * (largest + 1), 0)


class NeverReads:
    """A reader who takes the first byte and no other; like a transport whose buffer is full."""

    def __init__(self) -> None:
        self.sent: list[dict[str, object]] = []
        self.gone = asyncio.Event()

    async def send(self, event: dict[str, object]) -> None:
        self.sent.append(event)
        await self.gone.wait()


async def test_a_reader_who_never_reads_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "WRITE_SECONDS", 0.05)
    reader, aborted = NeverReads(), asyncio.Event()
    socket = connection.Connection(reader.send, person_id=1, session_id=1, abort=aborted.set)  # type: ignore[arg-type]  # ASGI
    socket.send_text("hello")
    await asyncio.wait_for(aborted.wait(), 30)
    assert socket.closed
    assert not socket.backlog


async def test_what_waits_for_a_slow_reader_is_bounded_by_bytes() -> None:
    reader = NeverReads()
    socket = connection.Connection(reader.send, person_id=1, session_id=1)  # type: ignore[arg-type]  # ASGI
    socket.send_text("first")
    for _ in range(10):
        socket.send_text("x" * (connection.LARGEST_BACKLOG // 4))
    assert socket.closed
    assert [event["type"] for event in socket.backlog] == ["websocket.close"], "nothing large is kept for it"
    reader.gone.set()


# -------------------------------------------------------------------------------------------------------------- exports


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\ufeff=1", "＝1＋1", "\x00=1"])
def test_no_text_of_anybody_becomes_a_formula(text: str) -> None:
    column = Column("aim", ColumnKind.TEXT, "what was written")
    assert csv_cell(column, text) == f"'{text}"
    for splitter in "\t\r\n":
        assert csv_cell(column, splitter + text) == f"'{splitter}'{text}", "whether it is split there or not"


@pytest.mark.parametrize("splitter", [";", "\t", "|", "\n", "\r"])
def test_nor_does_the_rest_of_a_text_behind_a_sign_at_which_some_spreadsheets_split(splitter: str) -> None:
    """German ones split at semicolons, also within the quotes of a comma-separated file."""
    column = Column("aim", ColumnKind.TEXT, "what was written")
    for formula in ("=1+1", "+1", "-1", "@SUM(A1)", " =1", '"=1', "＝1"):
        parts = str(csv_cell(column, f"a{splitter}{formula}{splitter}b")).split(splitter)
        assert parts == ["a", f"'{formula}", "b"]
    assert csv_cell(Column("words", ColumnKind.JSON, "nested"), [f"a{splitter}=1"]) != f'["a{splitter}=1"]'


def test_all_csv_of_the_server_is_written_in_one_place() -> None:
    """Which makes formulas harmless; whoever writes a table past it would have to think of that."""
    server = Path(spreadsheets.__file__).parents[1]
    writing = {
        path.relative_to(server).as_posix()
        for path in server.rglob("*.py")
        if re.search(r"csv\.(writer|DictWriter)|from csv import", path.read_text(encoding="utf-8"))
    }
    assert writing == {"base/spreadsheets.py"}
    file = io.StringIO()
    CsvRows(file).write([["=1", "a;=1", -1, None]])
    assert file.getvalue() == "'=1,a;'=1,-1,\n"


def test_a_workbook_holds_texts_as_texts_and_numbers_as_numbers(tmp_path: Path) -> None:
    columns = (Column("aim", ColumnKind.TEXT, "what was written"), Column("ply", ColumnKind.INTEGER, "when"))
    with XlsxWriter(tmp_path / "table.xlsx", Table("table", "group", "meaning", columns, "")) as writer:
        writer.write([("=1+1", 7), ("a;=1", None), ("x" * 40_000, 8)])
    with zipfile.ZipFile(tmp_path / "table.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet, "no formula"
    assert "<t>=1+1</t>" in sheet
    assert "<v>7</v>" in sheet
    assert "x" * 32_766 + "…" in sheet


def test_other_texts_are_exported_as_they_are() -> None:
    for text in ("a=b", "1-1", "mia@example", "", "'quoted'", "a; b", "a;b=c"):
        assert csv_cell(Column("aim", ColumnKind.TEXT, "what was written"), text) == text
