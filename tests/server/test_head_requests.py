"""HEAD is answered wherever GET is, without a body."""

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

from server.web.head_requests import AnswerHeads


async def page(scope: Scope, receive: Receive, send: Send) -> None:
    """As a route that takes GET alone."""
    request = Request(scope)
    answer = PlainTextResponse("hello") if request.method == "GET" else Response(status_code=405)
    await answer(scope, receive, send)


@pytest.mark.parametrize(("method", "status", "body"), [("GET", 200, b"hello"), ("HEAD", 200, b""), ("POST", 405, b"")])
async def test_head_is_get_without_the_body(method: str, status: int, body: bytes) -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(dict(message))

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {"type": "http", "method": method, "path": "/", "headers": [], "query_string": b""}
    await AnswerHeads(page)(scope, receive, send)
    assert sent[0]["status"] == status
    assert b"".join(message.get("body", b"") for message in sent) == body
    if method == "HEAD":
        assert (b"content-length", b"5") in sent[0]["headers"]
