"""A simulated proband that never gives up: lobby, match and questionnaire over whichever door of the platform answers.

Everything the platform acknowledges is told to the journal at once, so that it can be held to it afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import httpx
import websockets
from websockets.asyncio.client import connect

from server.accounts.sessions import COOKIE
from server.live.wire import messages as wire
from server.questionnaires.content import ChoiceItem
from server.questionnaires.repository import shipped
from server.study.settings import StudySettings
from tests.server.live.clients import SeatClient, Visitor
from tests.servers import PageClient

PAUSES: Final = (0.1, 0.2, 0.4, 0.8)
"""Between attempts to get through; the last one again and again."""
TRIES_SECONDS: Final = 20.0
LINGER_NOT: Final = struct.pack("ii", 1, 0)
"""Closing a socket with this option resets the connection instead of ending it in order."""
HALF_A_FRAME: Final = bytes([0x81, 0x80 | 60]) + b"mask" + b"half a message"
"""A masked text frame that promises 60 bytes and brings 14."""
GAME: Final = StudySettings().games[0]
TROUBLE: Final = (OSError, websockets.WebSocketException, httpx.HTTPError, TimeoutError)


Tell = Callable[..., None]


class Places(NamedTuple):
    """Where the platform can be reached."""

    doors: tuple[str, ...]
    seed: int
    think: float


@dataclass
class Witness(SeatClient):
    """A tab that tells the journal what it was told."""

    tell: Tell = lambda **_: None

    async def take_in(self, message: wire.MatchServerMessage) -> None:
        if isinstance(message, wire.State):
            self.tell(told=[int(self.match), message.since, message.moves])
        elif isinstance(message, wire.Moves):
            self.tell(told=[int(self.match), message.ply, message.moves])
        elif isinstance(message, wire.Ended):
            self.tell(ended=[int(self.match), message.scores, message.winners])
        elif isinstance(message, wire.Problem) and message.code == "replaced":
            self.replaced = True
        await super().take_in(message)


@dataclass
class Proband:
    number: int
    visitor: Visitor
    match: int | None
    finishes: bool
    places: Places
    tell: Tell
    tab: Witness | None = None
    awake: asyncio.Event = field(default_factory=asyncio.Event)
    """Not set while the proband neither reads nor answers."""
    rng: random.Random = field(init=False)
    failures: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(f"chaos {self.places.seed} proband {self.number}")
        self.awake.set()

    @property
    def door(self) -> str:
        """The first choice alternates; whoever fails tries the other one."""
        return self.places.doors[(self.number + self.failures) % len(self.places.doors)]

    async def run(self) -> None:
        if self.match is None:
            self.match = await self.wait_in_lobby()
        tab = self.tab = Witness(self.door, str(self.match), self.visitor, tell=self.tell)
        while tab.ended is None and not tab.replaced:
            tab.url = self.door
            try:
                await tab.open(open_timeout=TRIES_SECONDS, ping_interval=None)
                await tab.play_on(self.choose)
                self.refuse_wrong_answers(tab)
            except TROUBLE:
                pass
            if tab.ended is None and not tab.replaced:
                await self.pause()
        if tab.ended is not None and not tab.replaced:
            await Answering(self, tab).run()
        self.tell(done=self.number, replaced=tab.replaced)

    async def pause(self) -> None:
        self.failures += 1
        await asyncio.sleep(PAUSES[min(self.failures, len(PAUSES)) - 1])

    # -------------------------------------------------------------------------------------------------- lobby, match

    async def wait_in_lobby(self) -> int:
        while True:
            with contextlib.suppress(*TROUBLE):
                address = f"{self.door.replace('http', 'ws', 1)}/live/lobby"
                async with connect(address, additional_headers=self.visitor.headers, compression=None) as lobby:
                    await lobby.send(wire.Join(game=GAME).model_dump_json())
                    while True:
                        try:
                            answer = wire.LOBBY_SERVER.validate_json(await asyncio.wait_for(lobby.recv(), 1))
                        except TimeoutError:
                            await lobby.send(wire.Beat().model_dump_json())
                            continue
                        if isinstance(answer, wire.Seated):
                            return int(answer.match)
            await self.pause()

    async def choose(self, tab: SeatClient) -> str:
        """The same choice for the same ply, however often it has to be made."""
        own = random.Random(f"chaos {self.places.seed} proband {self.number} ply {tab.ply}")
        ply, move = tab.ply, own.choice(tab.legal)
        await asyncio.sleep(own.uniform(0, self.places.think))
        await self.awake.wait()
        self.tell(sent=[int(tab.match), ply, move, tab.seat])
        return move

    def refuse_wrong_answers(self, tab: Witness) -> None:
        """A proband who plays by the rules is never told that a move is illegal or that the match is another's."""
        for problem in tab.problems:
            if problem.code not in ("replaced", "wrong_ply", "wrong_turn", "match_over"):
                self.tell(violation=f"match {tab.match}: a well-behaved client was told {problem.code}")
        tab.problems.clear()

    # -------------------------------------------------------------------------------------------------------- faults

    @property
    def connected(self) -> bool:
        tab = self.tab
        return tab is not None and tab.socket is not None and tab.socket.state is websockets.State.OPEN

    def cut(self, how: str) -> None:
        """Break the connection in the middle of a frame: reset it, or end it."""
        assert self.tab is not None
        assert self.tab.socket is not None
        transport = self.tab.socket.transport
        transport.write(HALF_A_FRAME)
        if how == "reset":
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NOT)
        transport.abort()

    async def stop_reading(self, seconds: float) -> None:
        assert self.tab is not None
        assert self.tab.socket is not None
        transport: Any = self.tab.socket.transport
        self.awake.clear()
        transport.pause_reading()
        await asyncio.sleep(seconds)
        self.awake.set()
        if not transport.is_closing():
            transport.resume_reading()


@dataclass
class Answering:
    """Fills in the questionnaire about a match, answer by answer, each as often as it takes to be acknowledged."""

    proband: Proband
    tab: Witness
    given: dict[str, str] = field(default_factory=dict)

    async def run(self) -> None:
        proband = self.proband
        path = f"/matches/{self.tab.match}/questionnaire"
        async with PageClient(timeout=TRIES_SECONDS) as client:
            client.cookies.set(COOKIE, proband.visitor.cookie)
            if await self.ask(client, "GET", path) is None:
                return
            missing = ["enjoyment"]
            while missing:
                name = missing[0]
                item, _, seat = name.partition(".")
                value = proband.rng.choice(options(item))
                body = {"item": item, "seat": int(seat) if seat else None, "value": value}
                saved = await self.ask(client, "POST", f"{path}/answers", json=body)
                if saved is None:
                    return
                self.given[name] = value
                person = proband.visitor.person_id
                proband.tell(answered=[int(self.tab.match), person, item, body["seat"], value])
                missing = saved.json()["missing"]
            if proband.finishes and await self.ask(client, "POST", path, data=self.given) is not None:
                proband.tell(finished=[int(self.tab.match), proband.visitor.person_id])

    async def ask(self, client: PageClient, method: str, path: str, **content: Any) -> httpx.Response | None:
        """An answer of the platform that is no apology; None if it says no."""
        while True:
            with contextlib.suppress(*TROUBLE):
                headers = {"accept": "text/html" if method == "GET" else "application/json"}
                answer = await client.request(method, self.proband.door + path, headers=headers, **content)
                if answer.status_code < 400:
                    return answer
                if answer.status_code < 500:
                    self.proband.tell(violation=f"{method} {path} was answered {answer.status_code}: {answer.text}")
                    return None
                self.proband.tell(apology=answer.status_code)
            await self.proband.pause()


def options(item: str) -> list[str]:
    found = shipped("after_match").item(item)
    assert isinstance(found, ChoiceItem), "only choices are required"
    return list(found.keys())
