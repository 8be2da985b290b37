"""One process that computes, as the server sees it: those who wait for it, and what happens when it ends.

It is started with the first question. Questions are put one at a time; whoever asks waits on a future, and everything
here happens in callbacks of the event loop, because a decision should cost the server next to nothing.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import structlog

from server.programs.asking import ANSWERED, ANSWERED_LAST, ProgramsError, TookTooLong, WaitedTooLong
from server.programs.counting import Counted

log = structlog.get_logger(__name__)

TRIES: Final = 2
TURNS: Final = 2
"""Whoever has waited for so many questions that took all their time is not kept waiting any longer."""
START_SECONDS: Final = 20.0
"""So much more time has the first question to a new process, which has to start."""
STOPPING: Final = "the server is stopping"
MODULE: Final = "server.programs.computing"
CODE: Final = Path(__file__).resolve().parents[2]
"""The folder of this very code: whatever is installed elsewhere, the process shall run the same."""


@dataclass(slots=True, eq=False)
class Question:
    """A call of a function `module:name` with texts, which are sent only once to a process, and further arguments."""

    function: str
    texts: tuple[str, ...]
    arguments: tuple[Any, ...]
    budget: float
    """Seconds from when it is put until its process is ended."""
    asked_at: float = field(default_factory=time.perf_counter)
    answer: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    tries: int = 0
    put_first: bool = False
    """Whether it was put to a process that had yet to start: then it is not its player who is late."""

    @property
    def was_late(self) -> bool:
        """Of one that nobody waits for any more: whether the process really computed it all the time."""
        return self.tries > 0 and not self.put_first


class Line(asyncio.Protocol):
    """The connection to a process, from its start to its end."""

    def __init__(self, thinker: Thinker, process: subprocess.Popen[bytes]) -> None:
        self._thinker = thinker
        self._parts: list[bytes] = []
        self.process = process
        self.transport: asyncio.Transport | None = None
        self.told: dict[str, int] = {}
        """The texts that the process knows, with their numbers."""
        self.is_new = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._parts.append(data)
        if data.endswith(b"\n"):  # one request at a time, so one reply at a time
            reply, self._parts = b"".join(self._parts), []
            self._thinker.replied(self, reply)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # whatever it was, it is over
        self._thinker.lost(self)

    def put(self, question: Question) -> None:
        assert self.transport is not None
        new = [text for text in dict.fromkeys(question.texts) if text not in self.told]
        for text in new:
            self.told[text] = len(self.told)
        used = [self.told[text] for text in question.texts]
        request = json.dumps([question.function, new, used, question.arguments])
        self.transport.write(request.encode() + b"\n")
        self.is_new = False


class Thinker:
    """A process and the questions to it. `kind` says in metrics and logs what it is for."""

    def __init__(self, kind: str, rest_seconds: float | None = None, *, ends_given_up: bool = False) -> None:
        self._kind = kind
        self._ends_given_up = ends_given_up
        """Whether a question that nobody waits for any more ends with its process: others wait behind it."""
        self._counted = Counted(kind)
        self._rest_seconds = rest_seconds
        self._waiting: deque[Question] = deque()
        self._asked: Question | None = None
        self._put_at = 0.0
        self._line: Line | None = None
        self._starting: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Future[int]] = set()
        self._stopped = False

    def ask(self, question: Question) -> asyncio.Future[Any]:
        """What the function gives. Raises TookTooLong, or ProgramsError if it broke twice."""
        if self._stopped:
            question.answer.set_exception(ProgramsError(STOPPING))
        else:
            self._waiting.append(question)
            if self._ends_given_up:
                question.answer.add_done_callback(lambda _: self._answered_or_given_up(question))
            self._next()
        return question.answer

    def wake(self) -> None:
        """Let the process start before anybody asks."""
        if self._line is None and self._starting is None and not self._stopped:
            self._starting = asyncio.get_running_loop().create_task(self._start())

    @property
    def pid(self) -> int | None:
        return self._line.process.pid if self._line else None

    async def stop(self) -> None:
        """End the process and whatever it computes."""
        self._stopped = True
        if self._starting is not None:
            await asyncio.wait([self._starting])
        pending = [*self._waiting, *([self._asked] if self._asked else [])]
        self._waiting.clear()
        for question in pending:
            if not question.answer.done():
                question.answer.set_exception(ProgramsError(STOPPING))
        self._let_go()
        if self._ending:
            await asyncio.wait(self._ending)

    # ---------------------------------------------------------------------------------- what the line reports

    def replied(self, line: Line, reply: bytes) -> None:
        question = self._asked
        if line is not self._line or question is None:
            return
        seconds = time.perf_counter() - self._put_at
        self._asked = None
        self._set_timer(None)
        mark, said = reply[:1], reply[1:].decode()
        if mark in (ANSWERED, ANSWERED_LAST):
            self._counted.answered(seconds)
            if not question.answer.done():
                question.answer.set_result(json.loads(said))
            if mark == ANSWERED_LAST:
                self._replace("grown")
        else:
            self._broke(question, json.loads(said))
        self._next()

    def lost(self, line: Line) -> None:
        """The process has ended, and it was not we who wanted it."""
        if line is not self._line:
            return
        question = self._asked
        self._replace("died")
        if question is not None:
            self._broke(question, "the process died")
        self._next()

    # ------------------------------------------------------------------------------------------------ putting

    def _next(self) -> None:
        if self._asked is not None or self._stopped:
            return
        while self._waiting and self._is_settled(self._waiting[0]):
            self._waiting.popleft()
        if not self._waiting:
            if self._rest_seconds is not None and self._line is not None:
                self._set_timer(self._rest_seconds)
            return
        line = self._line
        if line is None:
            self.wake()
            return
        self._asked = question = self._waiting.popleft()
        self._put_at = time.perf_counter()
        question.tries += 1
        question.put_first = line.is_new
        self._set_timer(question.budget + (START_SECONDS if line.is_new else 0))
        line.put(question)

    def _is_settled(self, question: Question) -> bool:
        """Whether nobody waits for the answer any more, or has waited too long for his turn."""
        waited = time.perf_counter() - question.asked_at
        if not question.answer.done() and waited > question.budget * TURNS + START_SECONDS:
            question.answer.set_exception(WaitedTooLong(f"no turn within {waited:.0f} seconds"))
        return question.answer.done()

    def _set_timer(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self._over)

    def _over(self) -> None:
        """The time of a question is over, or nobody has asked anything for long."""
        self._timer = None
        question = self._asked
        if question is None:
            self._let_go()
            return
        self._replace("budget")
        if not question.answer.done():
            question.answer.set_exception(TookTooLong(f"no answer within {question.budget:g} seconds"))
        self._next()

    def _answered_or_given_up(self, question: Question) -> None:
        if question.answer.cancelled() and question is self._asked and question.was_late:
            self._replace("given up")
            self._next()

    def _broke(self, question: Question, reason: str) -> None:
        log.warning("programs.broke", kind=self._kind, function=question.function, tries=question.tries, reason=reason)
        if question.answer.done():
            return
        if question.tries < TRIES:
            self._waiting.appendleft(question)
        else:
            question.answer.set_exception(ProgramsError(reason))

    # --------------------------------------------------------------------------------------------- the process

    async def _start(self) -> None:
        try:
            ours, theirs = socket.socketpair()
            with theirs:
                line = Line(self, _process(theirs))
            ours.setblocking(False)
            await asyncio.get_running_loop().create_unix_connection(lambda: line, sock=ours)
        except OSError as error:  # the machine has no process or no file left for us
            self._starting = None
            if self._waiting:
                question = self._waiting.popleft()
                question.tries += 1
                self._broke(question, f"no process can be started: {error}")
        else:
            self._line, self._starting = line, None
            log.info("programs.started", kind=self._kind, pid=line.process.pid)
        self._next()

    def _replace(self, reason: str) -> None:
        """The next question gets a new process."""
        self._counted.replaced(reason)
        log.info("programs.replaced", kind=self._kind, reason=reason, pid=self.pid)
        self._let_go()

    def _let_go(self) -> None:
        line, self._line, self._asked = self._line, None, None
        self._set_timer(None)
        if line is None:
            return
        if line.transport is not None:
            line.transport.abort()
        line.process.kill()
        # Gone within a moment, but the event loop waits for nobody.
        end = asyncio.get_running_loop().run_in_executor(None, line.process.wait)
        self._ending.add(end)
        end.add_done_callback(self._ending.discard)


def _process(line: socket.socket) -> subprocess.Popen[bytes]:
    """Inherits nothing but its end of the line, and no secret of the server stands in its environment."""
    return subprocess.Popen(
        [sys.executable, "-m", MODULE, str(line.fileno())],
        pass_fds=(line.fileno(),),
        cwd=CODE,
        env={name: value for name, value in os.environ.items() if not name.startswith(("GRINTU_", "PROMETHEUS_"))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
