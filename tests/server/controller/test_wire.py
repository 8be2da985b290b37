"""HTTP as game managers and players speak it: lenient with small faults, firm with large ones."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.controller.wire import (
    LONGEST_LINE,
    LONGEST_REPLY,
    WireError,
    read_reply,
    read_request,
    reply_bytes,
    request_bytes,
)

POST = b"POST / HTTP/1.0\r\n"
OK = b"HTTP/1.0 200 OK\r\n"


def heard(data: bytes, *, pieces: int = 1) -> asyncio.StreamReader:
    """What a reader gets from a peer that says this, piece by piece, and hangs up."""
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    step = -(-len(data) // pieces) or 1
    for begin in range(0, len(data), step):
        reader.feed_data(data[begin : begin + step])
    reader.feed_eof()
    return reader


def read(data: bytes, *, reply: bool = False) -> str:
    async def reading() -> str:
        return await (read_reply if reply else read_request)(heard(data))

    return asyncio.run(reading())


texts = st.text(st.characters(exclude_categories=["Cs"])).map(
    lambda text: f"(play m {text.replace('(', '').replace(')', '')})"
)


@given(texts)
def test_what_is_sent_is_heard(message: str) -> None:
    assert read(request_bytes("127.0.0.1:1", "player", message)) == message
    assert read(reply_bytes(message), reply=True) == message.strip()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (POST + b"Content-Length: 6\r\n\r\n(INFO)", "(INFO)"),
        (b"POST / HTTP/1.0\nContent-length:6\n\n(INFO)", "(INFO)"),
        (POST + b"\r\n(INFO)", "(INFO)"),
        (POST + b"Content-Length: 99\r\n\r\n(INFO)", "(INFO)"),
        (POST + b"Content-Length: 10\r\n\r\n" + "(play ä ö)".encode(), "(play ä ö)"),
        (b"GET /%28INFO%29 HTTP/1.0\r\n\r\n", "(INFO)"),
        (b"GET /(PLAY+m+NIL) HTTP/1.0\r\n\r\n", "(PLAY m NIL)"),
    ],
    ids=["plain", "bare-lf", "no-length", "too-long-a-length", "characters", "get", "get-plus"],
)
def test_small_faults_are_forgiven(data: bytes, message: str) -> None:
    assert read(data) == message


async def test_characters_counted_as_bytes_do_not_keep_anybody_waiting() -> None:
    """The peer stays on the line, as players do: nothing but the message tells where it ends."""
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    message = "(play m ((sage grün)))"
    reader.feed_data(POST + f"Content-Length: {len(message)}\r\n\r\n{message}".encode())
    assert await read_request(reader) == message


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "closed before anything was said"),
        (POST, "half a head"),
        (b"DELETE / HTTP/1.0\r\n\r\n", "a POST is expected"),
        (POST + b"Content-Length: -1\r\n\r\n", "is a number"),
        (POST + b"Content-Length: 99999999\r\n\r\n", "99999999 bytes are announced"),
        (POST + b"X: " + b"a" * 10_000 + b"\r\n\r\n", "more than 8192 bytes"),
        (POST + b"X: a\r\n" * 10_000 + b"\r\n", "the head has more than"),
        (POST + b"Content-Length: 2\r\n\r\n\xff\xfe", "UTF-8"),
        (POST + b"Origin: http://example.org\r\nContent-Length: 6\r\n\r\n(INFO)", "not from web pages"),
    ],
)
def test_requests_that_are_none(data: bytes, words: str) -> None:
    with pytest.raises(WireError, match=words):
        read(data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"HTTP/1.0 302 Found\r\nLocation: http://example.org/\r\n\r\n", "200 is expected"),
        (b"ready", "half a head|200 is expected"),
        (OK + b"\r\n" + b"(" * (LONGEST_REPLY + 1), f"more than {LONGEST_REPLY} bytes"),
        (OK + b"Content-Length: 70000\r\n\r\n", "70000 bytes are announced"),
    ],
)
def test_replies_that_are_none(data: bytes, words: str) -> None:
    with pytest.raises(WireError, match=words):
        read(data, reply=True)


@given(st.binary(max_size=300), st.booleans(), st.sampled_from([b"", POST, OK, POST + b"\r\n", OK + b"\r\n"]))
def test_rubbish_gives_a_text_or_a_sentence(data: bytes, reply: bool, before: bytes) -> None:
    try:
        assert isinstance(read(before + data, reply=reply), str)
    except WireError as error:
        assert str(error)
