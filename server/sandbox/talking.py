"""Lines to a program and from it: whatever it prints or not, nobody waits longer or keeps more than is allowed."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import time
from typing import Final

from npc.decision import FaultKind
from npc.program.host import LostError
from server.sandbox.limits import Limits

_PIECE: Final = 65536


class Talk:
    """The pipes of a process that was started with all three of them."""

    def __init__(self, process: subprocess.Popen[bytes], limits: Limits) -> None:
        assert process.stdin and process.stdout and process.stderr
        self._limits = limits
        self._in, self._out, self._err = process.stdin, process.stdout, process.stderr
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe.fileno(), False)
        self._heard = bytearray()
        self.errors = bytearray()
        """The beginning of what it wrote to stderr."""
        self.ended = False
        """Whether it has closed its stdout, as whoever ends does."""

    def ask(self, question: str, seconds: float) -> str:
        """The line that it answers. Raises LostError."""
        return self.exchange(question.encode() + b"\n", time.monotonic() + seconds, seconds)

    def exchange(self, sending: bytes, until: float, seconds: float, *, line: bool = True) -> str:
        left = memoryview(sending)
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._out, selectors.EVENT_READ)
            if not self._err.closed:
                waiting.register(self._err, selectors.EVENT_READ)
            if left:
                waiting.register(self._in, selectors.EVENT_WRITE)
            while True:
                end = self._heard.find(b"\n") if line else -1
                if line and end >= 0 and not left:
                    answer = bytes(self._heard[:end])
                    del self._heard[: end + 1]
                    return answer.decode(errors="replace")
                if len(self._heard) > self._limits.line:
                    raise LostError(FaultKind.LIMIT, f"its answer is longer than {self._limits.line} bytes")
                remaining = until - time.monotonic()
                if remaining <= 0:
                    raise LostError(FaultKind.LIMIT, f"no answer within {seconds:.3g} s")
                for key, _ in waiting.select(remaining):
                    if key.fileobj is self._in:
                        left = self._write(waiting, left)
                    elif key.fileobj is self._err:
                        self._note(waiting)
                    else:
                        self._hear()

    def everything(self, seconds: float) -> bytes:
        """All that it prints until it ends. Raises LostError."""
        self._in.close()
        try:
            while True:
                self.exchange(b"", time.monotonic() + seconds, seconds, line=False)
        except LostError:
            if self.ended:
                return bytes(self._heard)
            raise

    def drain(self, seconds: float = 0.2) -> None:
        """Take what it wrote to stderr before it ended."""
        until = time.monotonic() + seconds
        with selectors.DefaultSelector() as waiting:
            if not self._err.closed:
                waiting.register(self._err, selectors.EVENT_READ)
            while waiting.get_map() and (remaining := until - time.monotonic()) > 0:
                for _ in waiting.select(remaining):
                    self._note(waiting)

    def close(self) -> None:
        for pipe in (self._in, self._out, self._err):
            with contextlib.suppress(OSError):  # it had something to be flushed, and nobody reads it
                pipe.close()

    def _write(self, waiting: selectors.BaseSelector, left: memoryview) -> memoryview:
        try:
            left = left[os.write(self._in.fileno(), left[:_PIECE]) :]
        except BlockingIOError:
            return left
        except OSError:
            left = left[:0]  # it reads no more; whether it still answers shows on stdout
        if not left:
            waiting.unregister(self._in)
        return left

    def _hear(self) -> None:
        piece = os.read(self._out.fileno(), min(_PIECE, self._limits.line + 1))
        if not piece:
            self.ended = True
            raise LostError(FaultKind.THREW, "it ended instead of answering")
        self._heard += piece

    def _note(self, waiting: selectors.BaseSelector) -> None:
        piece = os.read(self._err.fileno(), _PIECE)
        if not piece:
            waiting.unregister(self._err)
            self._err.close()
        self.errors += piece[: max(0, self._limits.errors - len(self.errors))]
