"""Fuzzing the websocket protocol: real sessions, mutated in their frames, their order, their types and their timing.

The attacker sits at a table with another person and a program. After every session the log must hold no error, a socket
must never have been closed with 1011, and a well-behaved client must get the state of the match. When a match is left,
its dice must be those of its seed, its moves legal, and each program's moves those of its strategy: nobody gained.
(Every proposal is checked here; by default the server checks a share of them, and all of a browser that was caught.)
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from games import dice
from games.registry import game as find_game
from npc.follower import Follower
from npc.players import player
from server.base.settings import Settings
from server.live.models import Match
from server.live.wire import messages as wire
from server.storage.database import Database
from server.study.settings import change_setting
from tests.fuzz import frames
from tests.fuzz.borders import WIRE_SEEDS
from tests.fuzz.frames import RawSocket, close_frame, frame
from tests.fuzz.log import Complaints
from tests.fuzz.loop import Fault, Outcome
from tests.fuzz.mutation import TRICKY, mutate
from tests.server.live.clients import SeatClient
from tests.server.live.conftest import Party, new_party, serving

SESSIONS_PER_MATCH: Final = 40
ALLOWED_CODES: Final = {1000, 1001, 1002, 1003, 1005, 1007, 1009, 1012, 1013, 4400, 4401, 4403, 4404, 4429}
PATIENCE: Final = 60.0
LOGGED: Final = {"t": 12345, "kind": "click", "x": 640, "y": 480, "target": "field 7"}

Draw = Callable[[Random, "Table"], bytes]


class Table:
    """What the attacker knows of the match, to say things that are nearly right."""

    def __init__(self) -> None:
        self.ply = 0
        self.legal: list[str] = ["p0"]
        self.panel = 8

    def learn(self, texts: list[str]) -> None:
        for text in texts:
            data = json.loads(text)
            if "legal" in data:
                self.legal = data["legal"] or ["p0"]
                self.ply = data["ply"] + (len(data["moves"]) if data["type"] == "moves" else 0)
            self.panel = len(data.get("panel", ())) or self.panel

    def messages(self, rng: Random) -> list[str]:
        """What a browser would say now."""
        choices = [rng.choice(self.legal)] * self.panel
        proposal = {"type": "propose", "ply": self.ply, "seat": rng.randrange(3), "choices": choices}
        return [
            json.dumps({"type": "hello", "ply": rng.choice((0, self.ply))}),
            json.dumps({"type": "log", "number": rng.randrange(400), "events": rng.randrange(60) * [LOGGED]}),
            json.dumps({"type": "play", "ply": self.ply, "move": rng.choice(self.legal)}),
            json.dumps({"type": "play", "ply": max(0, self.ply - 1), "move": rng.choice(self.legal)}),
            json.dumps(proposal),
        ]


def honest(rng: Random, table: Table) -> bytes:
    return frame(frames.TEXT, rng.choice(table.messages(rng)).encode())


def mutated(rng: Random, table: Table) -> bytes:
    known = [*table.messages(rng), *WIRE_SEEDS]
    return frame(frames.TEXT, mutate(rng, rng.choice(known), known).encode(errors="replace")[:60_000])


def fragments(rng: Random, table: Table) -> bytes:
    """A message in pieces, with a ping between them, perhaps never finished."""
    text = rng.choice(table.messages(rng)).encode()
    cut = rng.randrange(len(text))
    parts = [frame(frames.TEXT, text[:cut], final=False)]
    if rng.random() < 0.5:
        parts.append(frame(frames.PING, b"between"))
    if rng.random() < 0.7:
        parts.append(frame(frames.CONTINUATION, text[cut:]))
    if rng.random() < 0.2:
        parts.insert(1, frame(frames.TEXT, b"{}"))
    return b"".join(parts)


def binary(rng: Random, _table: Table) -> bytes:
    return frame(frames.BINARY, rng.randbytes(rng.choice((0, 1, 100, 5000))))


def broken_text(rng: Random, _table: Table) -> bytes:
    return frame(frames.TEXT, rng.choice((b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", rng.randbytes(50))))


def long_text(rng: Random, _table: Table) -> bytes:
    return frame(frames.TEXT, b'"' + b"x" * rng.choice((4095, 4096, 4097, 65_000, 70_000)) + b'"')


def deep_text(rng: Random, _table: Table) -> bytes:
    return frame(frames.TEXT, rng.choice((b"[" * 4000, b'{"a":' * 700, b'{"type":"play","ply":' + b"9" * 3000 + b"}")))


def pings(rng: Random, _table: Table) -> bytes:
    return b"".join(frame(rng.choice((frames.PING, frames.PONG)), b"x" * 125) for _ in range(rng.choice((1, 20, 400))))


def bad_control(rng: Random, _table: Table) -> bytes:
    return rng.choice(
        (
            frame(frames.PING, b"x" * 126),
            frame(frames.PING, b"x", final=False),
            frame(frames.CLOSE, b"x"),
            frame(frames.CLOSE, b"\x03\xe8\xff\xff"),
            frame(rng.choice((3, 7, 11, 15)), b"x"),
            frame(frames.CONTINUATION, b"nothing began"),
        )
    )


def closing(rng: Random, _table: Table) -> bytes:
    code = rng.choice((None, 0, 999, 1000, 1001, 1004, 1005, 1006, 1011, 1015, 2999, 3000, 4401, 4999, 65535))
    return close_frame(code, rng.choice((b"", b"bye", b"x" * 123)))


def bad_frame(rng: Random, table: Table) -> bytes:
    text = rng.choice(table.messages(rng)).encode()
    return rng.choice(
        (
            frame(frames.TEXT, text, masked=False),
            frame(frames.TEXT, text, reserved=rng.randrange(1, 8)),
            frame(frames.TEXT, text, claimed=rng.choice((0, 10, 2**20, 2**40, 2**63, 2**64 - 1))),
            frame(frames.TEXT, text)[: rng.randrange(1, 8)],
            rng.randbytes(rng.randrange(1, 300)),
        )
    )


def flood(rng: Random, table: Table) -> bytes:
    one = honest(rng, table)
    return one * rng.choice((10, 80, 200))


DRAWS: Final[tuple[Draw, ...]] = (
    *(honest, honest, honest, mutated, mutated, mutated, fragments, binary, broken_text, long_text, deep_text),
    *(pings, bad_control, closing, bad_frame, flood),
)


class SocketFuzzer:
    """Sessions against a real server in this process."""

    def __init__(self, url: str, settings: Settings, database: Database, complaints: Complaints, seed: str) -> None:
        self.url, self.settings, self.database, self.complaints = url, settings, database, complaints
        self.host, self.port = url.removeprefix("http://").split(":")[0], int(url.rpartition(":")[2])
        self.rng = Random(f"{seed}:sockets")
        self.outcome = Outcome("sockets")
        self.party: Party | None = None
        self.sessions = 0
        self.witness: asyncio.Task[None] | None = None

    async def run(self, seconds: float = float("inf"), inputs: int | None = None) -> Outcome:
        """`tried` counts what was sent, not sessions."""
        started, first = time.monotonic(), self.outcome.tried
        while time.monotonic() - started < seconds and (inputs is None or self.outcome.tried - first < inputs):
            await self.session()
        await self.leave()
        self.outcome.seconds += time.monotonic() - started
        return self.outcome

    async def session(self) -> None:
        if self.party is None or self.sessions >= SESSIONS_PER_MATCH:
            await self.leave()
            self.party = await new_party(self.database, self.settings, self.url, 2)
            self.sessions = 0
            self.witness = asyncio.create_task(self._witness(self.party.clients[1]))
        self.sessions += 1
        lobby = self.rng.random() < 0.15
        path = "/live/lobby" if lobby else f"/live/matches/{self.party.match}"
        headers = dict(self.party.clients[0].visitor.headers)
        if self.rng.random() < 0.1:
            self._spoil(headers)
        said = await self._attack(path, headers)
        # An error of the session may come a moment after its end.
        await asyncio.sleep(0.01)
        await self._must_be_well(said)

    def _spoil(self, headers: dict[str, str]) -> None:
        trick = self.rng.choice(TRICKY).encode("ascii", "replace").decode().replace("\r", "").replace("\n", "")[:500]
        name = self.rng.choice(("Origin", "Cookie", "Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions", "Host"))
        headers[name] = trick or "x"

    async def _attack(self, path: str, headers: dict[str, str]) -> str:
        """One session; gives what was sent, for the record."""
        sent: list[str] = []
        try:
            async with asyncio.timeout(PATIENCE):
                socket = await RawSocket.open(self.host, self.port, path, headers)
                if socket.status != 101:
                    self._expect(socket.status in (400, 403, 404, 426), f"refused with {socket.status}", str(headers))
                    return str(headers)
                await socket.send(frame(frames.TEXT, b'{"type":"hello","ply":0}'))
                await socket.read_for(0.02)
                table = Table()
                for _ in range(self.rng.randint(1, 12)):
                    table.learn(socket.texts)
                    socket.texts.clear()
                    draw = self.rng.choice(DRAWS)
                    data = draw(self.rng, table)
                    sent.append(f"{draw.__name__} {data[:80]!r}")
                    self.outcome.tried += 1
                    if not await socket.send(data):
                        break
                    self.outcome.accepted += 1
                    if self.rng.random() < 0.6:
                        await socket.read_for(0.01)
                if self.rng.random() < 0.5:
                    await socket.read_for(0.05)
                socket.cut()
                said_goodbye = any(one.startswith("closing") for one in sent)  # its code is given back
                allowed = said_goodbye or socket.closed_with is None or socket.closed_with in ALLOWED_CODES
                self._expect(allowed, f"closed with {socket.closed_with}", "\n".join(sent))
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError) as error:
            self._expect(isinstance(error, ConnectionError), f"session ended by {error!r}", "\n".join(sent))
        return f"{path} {headers}\n" + "\n".join(sent)

    async def _must_be_well(self, said: str) -> None:
        assert self.party is not None
        client = SeatClient(self.url, str(self.party.match), self.party.clients[0].visitor)
        try:
            async with asyncio.timeout(PATIENCE):
                await client.open()
                listening = asyncio.create_task(client.listen())
                await client.until(lambda: bool(client.of_type(wire.State)) or client.replaced or listening.done())
                assert client.socket is not None
                await client.socket.close()
                await listening
        except Exception as error:
            self._expect(False, f"afterwards {type(error).__name__}", said)
        for line in self.complaints.take():
            self._expect(False, f"log: {line[:200]}", f"{said}\n{line}")

    def _expect(self, holds: bool, where: str, described: str) -> None:
        if not holds:
            self.outcome.faults.setdefault(where, Fault("sockets", described, where, ""))

    async def _witness(self, client: SeatClient) -> None:
        """The other person, who plays on as if nothing were the matter."""

        async def choose(seated: SeatClient) -> str:
            await asyncio.sleep(0.05)
            return Random(seated.ply).choice(seated.legal)

        await client.open()
        await client.play_on(choose)

    async def leave(self) -> None:
        """Leave the match and look whether anybody gained by it."""
        if self.party is None:
            return
        party, witness, self.party = self.party, self.witness, None
        if witness is not None and not witness.done():
            assert party.clients[1].socket is not None
            await party.clients[1].socket.close()
            with suppress(TimeoutError):
                await asyncio.wait_for(witness, PATIENCE)
        async with self.database.sessions() as session:
            query = select(Match).where(Match.id == party.match)
            match = (await session.scalars(query.options(selectinload(Match.moves), selectinload(Match.seats)))).one()
        for problem in unfair(match):
            self._expect(False, f"unfair: {problem.split(':')[0]}", f"match {match.id}: {problem}")


def unfair(match: Match) -> list[str]:
    """What is wrong with the moves of a match, whoever made them."""
    game, moves = find_game(match.game), [move.move for move in match.moves]
    found = []
    check = dice.verify(game, match.dice_seed.hex(), match.commitment, moves)
    if not check.fair:
        found.append(f"dice: {check}")
    programs = {seat.seat: seat for seat in match.seats if seat.strategy is not None and seat.person_id is None}
    members = {number: match.panel[seat.member or 0] for number, seat in programs.items()}
    followers = {
        number: Follower(game, player(member["player"], match.game), member["seed"], number)
        for number, member in members.items()
    }
    position = game.start()
    for ply, text in enumerate(moves):
        follower = followers.get(position.to_act)
        if follower is not None and len(position.moves()) > 1:
            follower.catch_up(moves[:ply])
            expected = str(follower.decide().move)
            if expected != text:
                found.append(f"program's move: at ply {ply} {text} instead of {expected}")
        position = position.play(game.move(text))
    return found


@asynccontextmanager
async def socket_fuzzer(
    settings: Settings, database: Database, complaints: Complaints, seed: str
) -> AsyncIterator[SocketFuzzer]:
    async with database.transaction() as session:
        await change_setting(session, "check_share", 1, changed_by="fuzz")
    async with serving(settings) as server:
        yield SocketFuzzer(server.url, settings, database, complaints, seed)
