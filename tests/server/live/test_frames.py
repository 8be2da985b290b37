"""The short way of frames is the long way, only shorter: what it takes, it takes alike, and it keeps the order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from server.live.wire.frames import LONGEST, LONGEST_SHORT, ShortProtocol, encoded, short_texts, short_way, whole_frames

TEXTS = st.text(max_size=LONGEST // 4) | st.sampled_from(["", "x" * 125, "x" * 126, "x" * LONGEST])
FRAMES = st.builds(
    Frame,
    st.sampled_from([Opcode.TEXT, Opcode.BINARY, Opcode.PING, Opcode.PONG, Opcode.CONT]),
    st.binary(max_size=LONGEST_SHORT),
    st.booleans(),
).filter(lambda frame: frame.fin or frame.opcode not in (Opcode.PING, Opcode.PONG))
QUICK = settings(max_examples=30, deadline=None)


def sent(*frames: Frame) -> bytes:
    return b"".join(frame.serialize(mask=True) for frame in frames)


def text_frame(text: str) -> Frame:
    return Frame(Opcode.TEXT, text.encode())


@QUICK
@given(st.text(max_size=70_000 // 4) | st.sampled_from(["x" * 125, "x" * 126, "x" * 65_535, "x" * 65_536]))
def test_an_encoded_message_is_what_the_library_would_send(text: str) -> None:
    assert encoded(text).frame == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
    assert encoded(text).text == text


@QUICK
@given(st.lists(TEXTS, min_size=1, max_size=4), st.data())
def test_texts_are_read_as_far_as_they_have_come(texts: list[str], data: st.DataObject) -> None:
    whole = sent(*map(text_frame, texts))
    cut = data.draw(st.integers(0, len(whole)))
    read = short_texts(whole[:cut])
    assert read is not None
    begun, rest = read
    assert begun == texts[: len(begun)]
    assert whole.startswith(rest, len(sent(*map(text_frame, begun))))
    assert short_texts(rest + whole[cut:]) == (texts[len(begun) :], b"")
    assert whole_frames(whole[:cut]) == (not rest)


@QUICK
@given(st.lists(FRAMES, min_size=1, max_size=4))
def test_only_frames_with_a_whole_message_leave_the_parser_where_it_was(frames: list[Frame]) -> None:
    assert whole_frames(sent(*frames)) == all(frame.fin and frame.opcode != Opcode.CONT for frame in frames)
    if any(frame.opcode != Opcode.TEXT or not frame.fin for frame in frames):
        assert short_texts(sent(*frames)) is None


def test_text_that_is_none_and_frames_without_a_mask_are_left_to_the_long_way() -> None:
    assert short_texts(sent(Frame(Opcode.TEXT, b"\xff\xfe"))) is None
    assert short_texts(text_frame("bare").serialize(mask=False)) is None
    assert short_texts(text_frame("").serialize(mask=False)) is None
    assert short_texts(sent(text_frame("x" * (LONGEST + 1)))) is None
    assert short_texts(b"\x81\xfe\x00\x05" + b"\x00" * 9) is None, "a size in more bytes than it needs"
    assert not whole_frames(text_frame("bare").serialize(mask=False))


@dataclass
class Listening:
    """An application that notes what it hears, and by which way."""

    heard: list[tuple[str, str]] = field(default_factory=list)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        short = short_way(scope)
        assert short is not None
        await receive()
        await send({"type": "websocket.accept"})
        short.listener = lambda text: self.heard.append(("short", text))
        while (event := await receive())["type"] == "websocket.receive":
            self.heard.append(("long", event["text"]))
        assert not short.write_frame(encoded("too late").frame)


@pytest.fixture(params=[20.0])
async def listening(request: pytest.FixtureRequest) -> AsyncIterator[tuple[int, Listening]]:
    """The port of a server with that application; the parameter is how long a socket may be silent, and unanswering."""
    app = Listening()
    config = uvicorn.Config(
        app,
        port=0,
        ws=ShortProtocol,
        ws_per_message_deflate=False,
        ws_ping_interval=request.param,
        ws_ping_timeout=request.param,
        lifespan="off",
        log_config=None,
        access_log=False,
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server._serve())
    while not server.started:
        assert not task.done()
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1], app
    server.should_exit = True
    await task


async def test_whatever_the_way_the_order_is_kept(listening: tuple[int, Listening]) -> None:
    port, app = listening
    async with connect(f"ws://127.0.0.1:{port}/") as socket:
        await socket.send("one")
        await socket.ping()
        await socket.send("two " * 100)
        await socket.send("three")
        await (await socket.ping())  # answered after everything before it was read
    texts = [text for _, text in app.heard]
    assert texts == ["one", "two " * 100, "three"]


async def opened(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A socket whose frames we write and read ourselves."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    client = ClientProtocol(parse_uri(f"ws://127.0.0.1:{port}/"))
    client.send_request(client.connect())
    writer.write(b"".join(client.data_to_send()))
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


@pytest.mark.parametrize("listening", [0.05], indirect=True)
async def test_who_is_silent_is_pinged_and_who_does_not_answer_is_let_go(listening: tuple[int, Listening]) -> None:
    port, _app = listening
    reader, writer = await opened(port)
    said = await reader.read()  # until the server ends it
    assert said[0] & 15 == Opcode.PING
    assert b"\x03\xf3keepalive ping timeout" in said  # 0x3f3 is 1011
    writer.close()
    await writer.wait_closed()


async def test_a_frame_in_pieces_arrives_and_so_does_what_follows(listening: tuple[int, Listening]) -> None:
    port, app = listening
    reader, writer = await opened(port)
    fragments = Frame(Opcode.TEXT, b"fo", fin=False), Frame(Opcode.CONT, b"ur")
    stream = sent(text_frame("one"), text_frame("two"), text_frame("three"), *fragments, text_frame("five"))
    for start in range(0, len(stream), 5):
        writer.write(stream[start : start + 5])
        await asyncio.sleep(0.01)  # so that pieces are likely to arrive as such; if they do not, the same must hold
    writer.write(sent(Frame(Opcode.PING, b"done")))
    await reader.readexactly(len(b"..done"))
    writer.close()
    await writer.wait_closed()
    assert [text for _, text in app.heard] == ["one", "two", "three", "four", "five"]
