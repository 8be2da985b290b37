"""One person's browser, as far as a server notices it: cookies, CSRF tokens, kept connections, websockets.

It is no general HTTP client. It reads answers that state their length, which all of ours do, and costs a tenth of the
time of one that reads everything: on the machine of the load test, what the driver takes the server does not get.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.probands.tally import Tally

PATIENCE: Final = 120.0
KEPT_SECONDS: Final = 3.0
"""The server closes idle connections after five seconds; a little earlier we do not use them any more."""
CSRF_FIELD: Final = re.compile(r'name="csrf_token" value="([0-9a-f]+)"')


class Refused(Exception):  # noqa: N818 - named like the platform's own refusals
    """An answer with a status that should not have come."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    text: str


@dataclass(slots=True)
class Line:
    """A kept connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    idle_since: float = 0.0


class Browser:
    def __init__(self, port: int, address: str, tally: Tally):
        self.port = port
        self.address = address
        """Where the person seems to sit; the server believes a proxy on its own machine."""
        self.tally = tally
        self.cookies: dict[str, str] = {}
        self.csrf_token = ""
        self.lines: list[Line] = []

    async def get(self, path: str, page: str) -> Answer:
        return await self.request("GET", path, page)

    async def post_form(self, path: str, fields: dict[str, str], page: str) -> Answer:
        body = urlencode({**fields, "csrf_token": self.csrf_token}).encode()
        return await self.request("POST", path, page, body, "application/x-www-form-urlencoded")

    async def post_json(self, path: str, value: object, page: str) -> Answer:
        return await self.request("POST", path, page, json.dumps(value).encode(), "application/json")

    async def post_gzip(self, path: str, body: bytes, page: str) -> Answer:
        return await self.request("POST", path, page, body, "application/json\r\nContent-Encoding: gzip")

    async def request(self, method: str, path: str, page: str, body: bytes = b"", kind: str = "") -> Answer:
        """The answer, timed under the name `page`. Raises Refused for a status of 400 or more."""
        began = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            line = await self._line()
            line.writer.write(self._head(method, path, kind, len(body)) + body)
            answer = await self._read(line.reader)
        self.tally.answered(page, time.perf_counter() - began)
        if answer.headers.get("connection") == "close":
            line.writer.close()
        else:
            line.idle_since = time.monotonic()
            self.lines.append(line)
        if answer.status >= 400:
            raise Refused(f"{page}: status {answer.status}")
        if found := CSRF_FIELD.search(answer.text):
            self.csrf_token = found.group(1)
        return answer

    async def socket(self, path: str) -> ClientConnection:
        return await connect(
            f"ws://127.0.0.1:{self.port}{path}",
            origin=f"http://127.0.0.1:{self.port}",  # type: ignore[arg-type]  # a NewType of str
            additional_headers={"Cookie": self._cookie(), "X-Forwarded-For": self.address},
            compression=None,
            ping_interval=None,
            max_queue=None,
            open_timeout=PATIENCE,
            proxy=None,
        )

    def close(self) -> None:
        while self.lines:
            self.lines.pop().writer.close()

    async def _line(self) -> Line:
        while self.lines:
            line = self.lines.pop()
            if time.monotonic() - line.idle_since < KEPT_SECONDS and not line.reader.at_eof():
                return line
            line.writer.close()
        return Line(*await asyncio.open_connection("127.0.0.1", self.port))

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _head(self, method: str, path: str, kind: str, size: int) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Origin: http://127.0.0.1:{self.port}",
            f"X-Forwarded-For: {self.address}",
            "Accept: text/html, application/json",
            "Accept-Language: en",
        ]
        if self.cookies:
            lines.append(f"Cookie: {self._cookie()}")
        if method == "POST":
            lines += [f"Content-Type: {kind}", f"Content-Length: {size}", f"X-CSRF-Token: {self.csrf_token}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    async def _read(self, reader: asyncio.StreamReader) -> Answer:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers: dict[str, str] = {}
        for line in head[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                cookie, _, content = value.partition(";")[0].partition("=")
                self.cookies[cookie] = content
            headers[name.lower()] = value
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        return Answer(int(head[0].split(" ", 2)[1]), headers, body.decode())
