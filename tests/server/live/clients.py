"""Simulated browsers: they speak the wire format over real websockets and keep everything they receive."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import websockets
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from websockets.asyncio.client import ClientConnection, connect

from server.accounts.models import Account, AccountSession, Person
from server.accounts.sessions import COOKIE, _hash, _signer
from server.base.clock import now
from server.base.settings import Settings
from server.live.wire import messages as wire
from server.storage.database import Database
from server.study.consent import current_texts
from server.study.models import Consent

PATIENCE = 120.0

Choose = Callable[["SeatClient"], Awaitable[str]]
Advise = Callable[["SeatClient", int], list[str | None]]
"""What each member of the panel would do in a seat that chooses."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person with an open session."""

    person_id: int
    session_id: int
    cookie: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Cookie": f"{COOKIE}={self.cookie}"}


async def visitors(
    database: Database, settings: Settings, count: int, *, role: str = "proband", consent: bool = True
) -> list[Visitor]:
    """People who have registered, confirmed, logged in and agreed."""
    tokens = [secrets.token_hex(16) for _ in range(count)]
    async with database.transaction() as session:
        persons = [Person(pseudonym=f"p-{token[:12]}") for token in tokens]
        session.add_all(persons)
        await session.flush()
        accounts = [
            Account(
                person_id=person.id,
                email=f"{token}@example.org",
                password_hash="-",
                role=role,
                language="en",
                created_at=now(),
                confirmed_at=now(),
            )
            for person, token in zip(persons, tokens, strict=True)
        ]
        session.add_all(accounts)
        await session.flush()
        expires = now() + settings.session_lifetime
        logins = [
            AccountSession(account_id=account.id, token_hash=_hash(token), expires_at=expires)
            for account, token in zip(accounts, tokens, strict=True)
        ]
        session.add_all(logins)
        if consent:
            texts = (await current_texts(session)).values()
            session.add_all(Consent(person_id=one.id, text_id=text.id, given=True) for one in persons for text in texts)
        await session.flush()
        return [
            Visitor(person.id, login.id, _signer(settings).sign(token).decode())
            for person, login, token in zip(persons, logins, tokens, strict=True)
        ]


async def end_login(session: AsyncSession, visitor: Visitor) -> None:
    login = (await session.scalars(select(AccountSession).where(AccountSession.id == visitor.session_id))).one()
    await session.delete(login)
    await session.commit()


@dataclass(frozen=True, slots=True)
class Received:
    """One frame: when it came, its text and its message."""

    at: float
    text: str
    message: wire.MatchServerMessage


@dataclass
class SeatClient:
    """One browser tab at a table."""

    url: str
    match: str
    visitor: Visitor
    received: list[Received] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    seat: int = -1
    game: str = ""
    acting: list[int] = field(default_factory=list)
    legal: list[str] = field(default_factory=list)
    position: str = ""
    sealed: str | None = None
    """What this seat has chosen at the present ply while others still choose."""
    panel: list[wire.PanelMember] = field(default_factory=list)
    ended: wire.Ended | None = None
    replaced: bool = False
    problems: list[wire.Problem] = field(default_factory=list)
    advise: Advise | None = None
    """What the panel would do in another seat; proposed at once."""
    socket: ClientConnection | None = None
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def my_turn(self) -> bool:
        """A table may tell a move before it answers the greeting: who does not know the own seat yet does not move."""
        return self.seat >= 0 and bool(self.legal) and self.sealed is None

    async def open(self, **options: Any) -> None:
        address = f"{self.url.replace('http', 'ws', 1)}/live/matches/{self.match}"
        self.socket = await connect(address, additional_headers=self.visitor.headers, compression=None, **options)
        with contextlib.suppress(websockets.ConnectionClosed):  # turned away at once; listen() tells why
            await self.say(wire.Hello(ply=self.ply))

    async def say(self, message: wire.Message) -> None:
        await self.say_text(message.model_dump_json())

    async def say_text(self, text: str) -> None:
        assert self.socket is not None
        await self.socket.send(text)

    async def listen(self) -> None:
        """Take in frames until the socket closes."""
        assert self.socket is not None
        try:
            async for text in self.socket:
                assert isinstance(text, str)
                message = wire.MATCH_SERVER.validate_json(text)
                self.received.append(Received(time.monotonic(), text, message))
                await self.take_in(message)
        except websockets.ConnectionClosed:
            pass
        async with self.news:
            self.news.notify_all()

    async def take_in(self, message: wire.MatchServerMessage) -> None:
        if isinstance(message, wire.State):
            self.seat, self.panel, self.game = message.you, message.panel, message.game
            self.moves[message.since :] = message.moves
            self.sealed = message.sealed
            self.take_over(message)
        elif isinstance(message, wire.Moves):
            if message.ply > self.ply:
                await self.say(wire.Hello(ply=self.ply))
            elif message.ply + len(message.moves) >= self.ply:
                self.moves[message.ply :] = message.moves
                self.sealed = None
                self.take_over(message)
        elif isinstance(message, wire.Sealed):
            self.sealed = message.move
        elif isinstance(message, wire.Ended):
            self.ended = message
        elif isinstance(message, wire.Replaced):
            self.replaced = True
        elif isinstance(message, wire.Problem):
            self.problems.append(message)
        if self.advise is not None and isinstance(message, wire.State | wire.Moves) and self.panel:
            for seat in self.acting:
                if seat != self.seat:
                    await self.say(wire.Propose(ply=self.ply, seat=seat, choices=self.advise(self, seat)))
        async with self.news:
            self.news.notify_all()

    def take_over(self, message: wire.State | wire.Moves) -> None:
        self.acting, self.legal, self.position = message.acting, message.legal, message.position

    async def listen_to_the_end(self) -> None:
        """Watch without ever moving."""
        listening = asyncio.create_task(self.listen())
        await self.until(lambda: self.ended is not None or self.replaced)
        assert self.socket is not None
        await self.socket.close()
        await listening

    async def until(self, happened: Callable[[], bool], patience: float = PATIENCE) -> None:
        async with asyncio.timeout(patience), self.news:
            await self.news.wait_for(happened)

    def of_type(self, kind: type) -> list[Any]:
        return [one.message for one in self.received if isinstance(one.message, kind)]

    async def play_on(self, choose: Choose) -> None:
        """Answer every turn until the match is over, this seat is replaced or the socket closes."""
        listening = asyncio.create_task(self.listen())
        answered = -1
        try:
            while self.ended is None and not self.replaced and not listening.done():
                async with self.news:
                    ready = self.my_turn and self.ply > answered
                    if not ready:
                        await self.news.wait()
                        continue
                answered = self.ply
                move = await choose(self)
                if self.ended is None and self.ply == answered:
                    await self.say(wire.Play(ply=answered, move=move))
        except websockets.ConnectionClosed:
            pass
        finally:
            if self.ended is not None or self.replaced:
                assert self.socket is not None
                await self.socket.close()
            await listening


def at_random(seed: object, seconds: Callable[[random.Random], float] = lambda _: 0.0) -> Choose:
    """Plays any legal move after a while."""
    rng = random.Random(f"{seed}")

    async def choose(client: SeatClient) -> str:
        await asyncio.sleep(seconds(rng))
        return rng.choice(client.legal)

    return choose
