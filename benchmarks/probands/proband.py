"""A simulated proband: logs in, waits in the lobby, plays whole matches, answers the questionnaire, plays again.

What goes over the wire is what a browser sends: pages, sockets, beats, moves, the panel's proposals, the interaction
log, every answer as it is given, and the form at the end. Pictures, styles and scripts are left out: a browser has them
after its first visit.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from math import exp
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from benchmarks.probands.advice import Advice, Library
from benchmarks.probands.browser import Browser, Refused
from benchmarks.probands.questionnaire import an_answer, questions
from benchmarks.probands.tally import Tally
from games.registry import game as find_game
from server.live.thinking.times import SHORTEST_MS, UNKNOWN_KIND, Thinking
from server.live.wire.messages import BEAT_SECONDS

LOG_SECONDS: Final = 5.0
"""How often a browser sends the interaction log."""
EVENTS_PER_SECOND: Final = 6
READING_SECONDS: Final = 4.0
"""From one answer of a questionnaire to the next."""
RETRY_SECONDS: Final = 1.0
LOOK_SECONDS: Final = 0.5
HUMAN_TIMES: Final = Thinking()


@dataclass(frozen=True, slots=True)
class Habits:
    """How probands behave. `pace` multiplies all their times, like that of the installation."""

    pace: float
    logs_interactions: bool = True
    game: str = "jostle:standard"


class Proband:
    def __init__(self, email: str, password: str, browser: Browser, habits: Habits, library: Library, seed: str):
        self.email = email
        self.password = password
        self.browser = browser
        self.tally: Tally = browser.tally
        self.habits = habits
        self.library = library
        self.rng = random.Random(seed)

    async def live(self, closing: asyncio.Event) -> None:
        """Come, play and answer again and again; once `closing` is set, end what was begun. Everybody plays once."""
        logged_in = played = False
        while not (closing.is_set() and played):
            try:
                if not logged_in:
                    await self.log_in()
                    logged_in = True
                match = await self.wait_for_a_table(closing if played else asyncio.Event())
                if match is None:
                    break
                plies = await self.play(match)
                if plies is not None:
                    await self.answer(match, plies)
                played = True
            except (OSError, EOFError, TimeoutError, WebSocketException, Refused) as error:
                # Whoever comes back to the lobby is sent to the match that is still on.
                self.tally.failed(str(error) if isinstance(error, Refused) else type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)
        self.browser.close()

    async def log_in(self) -> None:
        await self.browser.get("/login?next=/lobby", "log-in page")
        fields = {"email": self.email, "password": self.password, "next": "/lobby"}
        answer = await self.browser.post_form("/login", fields, "log in")
        if answer.status != 303:
            raise Refused(f"log in: status {answer.status}")
        self.tally.count("log-ins")

    # ------------------------------------------------------------------------------------------------------- lobby

    async def wait_for_a_table(self, closing: asyncio.Event) -> int | None:
        """The match that this proband was seated in; None if the study closes before."""
        await self.browser.get("/lobby", "lobby")
        async with Opened(self, "/live/lobby") as socket:
            await socket.send(json.dumps({"type": "join", "game": self.habits.game}))
            beaten, leaving = time.monotonic(), False
            while True:
                if closing.is_set() and not leaving:
                    await socket.send('{"type":"leave"}')
                    leaving = True
                elif not leaving and time.monotonic() - beaten > BEAT_SECONDS:
                    await socket.send('{"type":"beat"}')
                    beaten = time.monotonic()
                try:
                    async with asyncio.timeout(LOOK_SECONDS):
                        message = json.loads(await socket.recv())
                except TimeoutError:
                    continue
                if message["type"] == "seated":
                    return int(message["match"])
                if message["type"] == "left":
                    return None
                if message["type"] == "error":
                    raise Refused(f"lobby: {message['code']}")

    # ------------------------------------------------------------------------------------------------------- match

    async def play(self, match: int) -> int | None:
        """Play to the end; gives the number of plies, or None if a stand-in took the seat."""
        await self.browser.get(f"/matches/{match}", "match")
        self.tally.sat_down(match)
        try:
            async with Opened(self, f"/live/matches/{match}") as socket, Beside() as beside:
                if self.habits.logs_interactions:
                    beside.start(self._log(socket))
                return await Sitting(self, match, socket, beside).to_the_end()
        finally:
            self.tally.got_up(match)

    async def _log(self, socket: ClientConnection) -> None:
        """Send what the pointer did, every few seconds."""
        number, seconds = 0, LOG_SECONDS
        count = round(EVENTS_PER_SECOND * seconds)
        while True:
            await asyncio.sleep(seconds * self.habits.pace)
            start = round(number * seconds * 1000)
            events = [
                {"t": start + 160 * n, "kind": "pointer", "x": self.rng.randrange(1200), "y": self.rng.randrange(800)}
                for n in range(count)
            ]
            with suppress(WebSocketException):  # whoever reads the socket will notice, too
                await socket.send(json.dumps({"type": "log", "number": number, "events": events}))
            self.tally.count("batches of the log")
            number += 1

    def thinking_seconds(self, question: str) -> float:
        times = HUMAN_TIMES.kinds.get(question, UNKNOWN_KIND)
        return max(SHORTEST_MS, exp(self.rng.gauss(times.mean, times.spread))) / 1000 * self.habits.pace

    # ----------------------------------------------------------------------------------------------- questionnaire

    async def answer(self, match: int, plies: int) -> None:
        """Every answer is saved as it is given, then the whole form is sent."""
        address = f"/matches/{match}/questionnaire"
        page = await self.browser.get(address, "questionnaire")
        given: dict[tuple[str, int | None], Any] = {}
        form: dict[str, str] = {}
        for question in questions(page.text):
            if not question.is_asked(given):
                continue
            reading = READING_SECONDS * self.rng.uniform(0.5, 1.5)
            await asyncio.sleep(reading * self.habits.pace)
            value = an_answer(question, plies, self.rng)
            if value is None:
                continue
            given[question.item, question.seat] = value
            form[question.field] = str(value)
            told = {"item": question.item, "seat": question.seat, "value": value, "shown_ms": round(reading * 1000)}
            await self.browser.post_json(f"{address}/answers", told, "save an answer")
            self.tally.count("answers")
        done = await self.browser.post_form(address, form, "finish")
        if done.status != 303:
            raise Refused(f"finish: status {done.status}")
        await self.browser.get(done.headers["location"], "thanks")
        self.tally.count("questionnaires")


class Beside:
    """What runs beside the reading of a socket, and ends with it; a failure is counted by whoever runs."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


class Opened:
    """A websocket of a proband, counted while it is open."""

    def __init__(self, proband: Proband, path: str):
        self.proband = proband
        self.path = path
        self.stack = AsyncExitStack()

    async def __aenter__(self) -> ClientConnection:
        socket = await self.stack.enter_async_context(await self.proband.browser.socket(self.path))
        self.proband.tally.sockets += 1
        return socket

    async def __aexit__(self, *error: object) -> None:
        self.proband.tally.sockets -= 1
        await self.stack.aclose()


class Sitting:
    """One proband at one table."""

    def __init__(self, proband: Proband, match: int, socket: ClientConnection, beside: Beside):
        self.proband = proband
        self.tally = proband.tally
        self.match = match
        self.socket = socket
        self.beside = beside
        self.moves: list[str] = []
        self.seat = -1
        self.sent: tuple[int, float] = (-1, 0.0)
        """The ply of the newest own move, and when it was sent."""
        self.game = ""
        self.advice: Advice | None = None
        """Where browsers compute what programs do."""

    async def to_the_end(self) -> int | None:
        await self.hello()
        async for text in self.socket:
            message = json.loads(text)
            kind = message["type"]
            if kind == "moves" and self.game:  # what is told before the greeting is answered stands in the answer
                await self.follow(message)
            elif kind == "state":
                self.take_in(message)
                await self.turn(message)
            elif kind == "ended":
                self.tally.count("matches")
                return len(self.moves)
            elif kind == "replaced":
                self.tally.failed("match: replaced")
                return None
            elif kind == "error":
                self.tally.failed(f"match: {message['code']}")
        raise ConnectionError("the socket closed in the middle of the match")

    async def hello(self) -> None:
        await self.socket.send(f'{{"type":"hello","ply":{len(self.moves)}}}')

    def take_in(self, state: dict[str, Any]) -> None:
        self.seat = state["you"]
        self.moves[state["since"] :] = state["moves"]
        self.game = state["game"]
        members = [(member["player"], member["seed"]) for member in state["panel"]]
        self.advice = self.proband.library.of(self.match, self.game, members) if members else None

    async def follow(self, message: dict[str, Any]) -> None:
        ply = message["ply"]
        if ply != len(self.moves):
            await self.hello()
            return
        if ply == self.sent[0]:
            self.tally.moved(time.perf_counter() - self.sent[1])
        self.tally.count("broadcasts")
        self.moves += message["moves"]
        await self.turn(message)

    async def turn(self, message: dict[str, Any]) -> None:
        """Whoever chooses thinks; for the others the browser proposes what the panel would do there."""
        legal: list[str] = message["legal"]
        ply, position = len(self.moves), find_game(self.game).position(message["position"])
        if legal:
            self.beside.start(self.move(ply, legal, position.question(self.seat)))
        for seat in message["acting"]:
            if seat == self.seat or self.advice is None or position.forced(seat) is not None:
                continue
            choices = self.advice.at(self.moves, seat)
            if choices is not None:
                proposal = {"type": "propose", "ply": ply, "seat": seat, "choices": choices}
                await self.socket.send(json.dumps(proposal))
                self.tally.count("proposals")

    async def move(self, ply: int, legal: list[str], question: str) -> None:
        """What the first of the panel would do, or anything, after a human time."""
        choices = self.advice.at(self.moves, self.seat) if self.advice else None
        move = choices[0] if choices else self.proband.rng.choice(legal)
        await asyncio.sleep(self.proband.thinking_seconds(question))
        if len(self.moves) != ply:
            return
        self.sent = (ply, time.perf_counter())
        with suppress(WebSocketException):  # whoever reads the socket will notice, too
            await self.socket.send(json.dumps({"type": "play", "ply": ply, "move": move}))
