"""A player of ours, as managers talk to it: messages in, replies out, whoever carries them.

Every match has two processes: one follows it and always knows what is legal, the other one thinks, and is ended when it
takes too long; then a legal move is drawn by lot. Matches are bounded in number, and one of which nothing was heard for
long is forgotten.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any, Final

import structlog

from games.gdl.controller import messages
from games.gdl.controller.messages import Abort, Info, Message, Play, Start, Stop
from games.gdl.controller.record import LATE, Lapse
from server.controller import thinking
from server.controller.peers import LapseError
from server.programs.asking import ProgramsError
from server.programs.thinker import Question, Thinker

log = structlog.get_logger(__name__)

NAME: Final = "grintu"
FORGOTTEN_SECONDS: Final = 60.0
"""Besides three times the clocks of a match: after such a silence it is forgotten when its place is needed."""
OPEN_SECONDS: Final = 60.0
"""For opening a game, however short the clocks: only then its process is ended."""
STOP_SECONDS: Final = 2.0
"""For looking at the last position, which only the log needs."""
SPARE_SECONDS: Final = 1.0
SPARE_SHARE: Final = 0.2
"""Of a clock, for the way of the reply: a second, or this share of short clocks."""


def thinking_seconds(clock: int) -> float:
    """How much of a clock a player may use up."""
    return max(clock - SPARE_SECONDS, clock * (1 - SPARE_SHARE))


class OurPlayer:
    """Replies to managers as the player that a text describes. `close` ends all its processes.

    Where it `draws_lots`, it plays something legal when it was too slow; otherwise it owns up with a LapseError.
    """

    def __init__(self, player: str, seed: str, most_matches: int = 1, *, draws_lots: bool = True) -> None:
        self._player = player
        self._seed = seed
        self._most = most_matches
        self._draws_lots = draws_lots
        self._sessions: dict[str, Session] = {}

    async def answer(self, written: str) -> str:
        """The reply to a message. Raises NotationError if it is none."""
        message = await asyncio.to_thread(messages.read_message, written)  # a long description takes its time
        return await self.reply(message)

    async def reply(self, message: Message) -> str:
        match message:
            case Info():
                free = len(self._sessions) < self._most or self._silent() is not None
                return messages.write_introduction(NAME, messages.AVAILABLE if free else messages.BUSY)
            case Start():
                return await self._start(message)
            case Play(match):
                session = self._sessions.get(match)
                return messages.BUSY if session is None else await session.play(message)
            case Stop(match):
                session = self._sessions.pop(match, None)
                return messages.BUSY if session is None else await session.stop(message)
            case Abort(match):
                session = self._sessions.pop(match, None)
                if session is not None:
                    await session.close()
                    log.info("gdl.aborted", match=match)
                return messages.ABORTED

    async def close(self) -> None:
        sessions, self._sessions = list(self._sessions.values()), {}
        await asyncio.gather(*(session.close() for session in sessions))

    async def _start(self, start: Start) -> str:
        if start.match in self._sessions:
            return messages.BUSY
        if len(self._sessions) >= self._most:
            silent = self._silent()
            if silent is None:
                log.info("gdl.busy", match=start.match)
                return messages.BUSY
            await self._sessions.pop(silent).close()
        session = self._sessions[start.match] = Session(
            start, self._player, f"{self._seed}:{start.match}", draws_lots=self._draws_lots
        )
        reply = await session.start()
        if reply != messages.READY and self._sessions.get(start.match) is session:
            del self._sessions[start.match]
            await session.close()
        return reply

    def _silent(self) -> str | None:
        return next((match for match, session in self._sessions.items() if session.is_silent), None)


class Session:
    """One match of our player."""

    def __init__(self, start: Start, player: str, seed: str, *, draws_lots: bool = True) -> None:
        self._start = start
        self._draws_lots = draws_lots
        self._texts = (start.description, player)
        self._seed = seed
        self._turns: list[Any] = []
        self._first_turn = 0
        self._said = messages.NIL
        """The reply to the PLAY before."""
        self._follower = Thinker("gdl")
        self._decider = Thinker("gdl")
        self._heard = time.monotonic()
        self._lock = asyncio.Lock()

    @property
    def is_silent(self) -> bool:
        patience = FORGOTTEN_SECONDS + 3 * (self._start.start_clock + self._start.play_clock)
        return time.monotonic() - self._heard > patience

    async def start(self) -> str:
        clock = self._start.start_clock
        log.info(
            "gdl.start", **self._which, role=self._start.role, start_clock=clock, play_clock=self._start.play_clock
        )
        opening = asyncio.gather(*(self._open(thinker) for thinker in (self._follower, self._decider)))
        opening.add_done_callback(_heard_of)
        try:
            async with asyncio.timeout(thinking_seconds(clock)):
                opened = await asyncio.shield(opening)  # what takes longer goes on: there is the first turn's time
        except (TimeoutError, ProgramsError) as late:
            log.warning("gdl.slow_start", **self._which, reason=str(late))
            return messages.READY
        refusals = [found["refused"] for found in opened if "refused" in found]
        if refusals:
            log.warning("gdl.refused", **self._which, reason=refusals[0])
            return messages.BUSY
        return messages.READY

    async def play(self, message: Play) -> str:
        """A legal move; `nil` if nobody knows one, because what was told cannot be or the game takes too long."""
        self._heard = time.monotonic()
        until = self._heard + thinking_seconds(self._start.play_clock)
        async with self._lock:
            self._hear(message)
            legal = await self._legal(until)
            if len(legal) > 1:
                self._said = await self._decided(legal, until)
            else:
                self._said = legal[0] if legal else messages.NIL
            return self._said

    async def stop(self, message: Stop) -> str:
        self._hear(message)
        try:
            async with asyncio.timeout(STOP_SECONDS):
                known = await self._ask(self._follower, thinking.follow, STOP_SECONDS, self._turns)
        except (TimeoutError, ProgramsError):
            known = {}
        points, reason = known.get("points"), known.get("refused")
        log.info("gdl.stop", **self._which, turns=len(self._turns), points=points, reason=reason)
        await self.close()
        return messages.DONE

    async def close(self) -> None:
        await asyncio.gather(self._follower.stop(), self._decider.stop())

    def _hear(self, message: Play | Stop) -> None:
        """Where turns have numbers, one that is told again is known already."""
        if message.last is None:
            self._first_turn = message.turn or 0
        elif message.turn is None or message.turn - self._first_turn > len(self._turns):
            self._turns.append(thinking.turn_as_json(message.last, self._said))

    @property
    def _which(self) -> dict[str, str]:
        return {"match": self._start.match}

    async def _legal(self, until: float) -> list[str]:
        """The legal moves; none if nobody knows them in time."""
        seconds = until - time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                known = await self._ask(self._follower, thinking.follow, seconds + OPEN_SECONDS, self._turns)
        except (TimeoutError, ProgramsError) as late:
            log.warning("gdl.lost", **self._which, turn=len(self._turns), reason=str(late) or "not followed in time")
            return []
        legal: list[str] = known.get("legal", [])
        if not legal:
            reason = known.get("refused", "the match is over, and a move is asked for")
            log.warning("gdl.lost", **self._which, turn=len(self._turns), reason=reason)
        return legal

    async def _decided(self, legal: list[str], until: float) -> str:
        seconds = until - time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                found = await self._ask(self._decider, thinking.decide, seconds, self._turns)
        except (TimeoutError, ProgramsError) as late:
            self._open(self._decider)
            reason = str(late) or "no decision in time"
            if not self._draws_lots:
                raise LapseError(Lapse(LATE, reason)) from None
            move = random.Random(f"{self._seed}:{len(self._turns)}").choice(legal)
            log.warning("gdl.by_lot", **self._which, turn=len(self._turns), move=move, reason=reason)
            return move
        if found["fault"]:
            log.warning("gdl.fault", **self._which, turn=len(self._turns), reason=found["fault"])
        return str(found["move"])

    def _open(self, thinker: Thinker) -> asyncio.Future[Any]:
        """Opens the game in a process, which is started if there is none."""
        opening = self._ask(thinker, thinking.begin, OPEN_SECONDS)
        opening.add_done_callback(_heard_of)
        return opening

    def _ask(self, thinker: Thinker, function: Callable[..., Any], seconds: float, *more: Any) -> asyncio.Future[Any]:
        name = f"{function.__module__}:{function.__qualname__}"
        return thinker.ask(Question(name, self._texts, (self._start.role, self._seed, *more), seconds))


def _heard_of(opening: asyncio.Future[Any]) -> None:
    """Nobody may be waiting any more when opening fails; then the next question fails in the same way."""
    if not opening.cancelled():
        opening.exception()


class Ours:
    """Our player on a seat of our own manager (see `peers.Peer`)."""

    def __init__(self, player: str, seed: str) -> None:
        self._player = OurPlayer(player, seed, draws_lots=False)  # the manager does, and writes it down
        self.name = player

    async def ask(self, message: str, seconds: float) -> str:
        """It minds its clocks itself; the limit is for a machine that is too busy for that."""
        try:
            async with asyncio.timeout(seconds):
                return await self._player.answer(message)
        except TimeoutError:
            raise LapseError(Lapse(LATE, f"no reply within {seconds:g} seconds")) from None

    async def close(self) -> None:
        await self._player.close()
