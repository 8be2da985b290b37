"""A process that computes what programs decide: `python -m server.programs.computing DESCRIPTOR`.

It has one line to the server that started it, and ends with it. Requests and replies are lines of JSON, one request at
a time. It imports rules and players, and nothing of the web or the database; no secret of the server is told to it.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import npc.players  # noqa: F401  # everybody who asks needs them: they are there before the first question
import server.programs.minds  # noqa: F401  # as above
from server.programs.asking import ANSWERED, ANSWERED_LAST, BROKE
from server.programs.engine import offer_engine

LARGEST_BYTES: Final = 512 * 1024 * 1024
MOST_TEXTS: Final = 4096
LOOK_EVERY: Final = 64
"""Its size is looked at once in so many answers."""


def main(descriptor: int) -> None:
    # Ctrl-C and the signals of a service manager reach all processes at once: the server still needs us to finish.
    for unheard in (signal.SIGINT, signal.SIGTERM):
        signal.signal(unheard, signal.SIG_IGN)
    line = socket.socket(fileno=descriptor)
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()
    offer_engine()
    gc.collect()
    gc.freeze()
    texts: list[str] = []
    for number, request in enumerate(line.makefile("rb")):
        name, told, used, arguments = json.loads(request)
        texts += told
        try:
            answer = _written(_function(name)(*(texts[place] for place in used), *arguments))
            mark = ANSWERED_LAST if number % LOOK_EVERY == 0 and _has_grown(texts) else ANSWERED
        except Exception:  # whatever it is, the server hears of it and decides
            answer, mark = _written(traceback.format_exc()), BROKE
        line.sendall(mark + answer + b"\n")


def _written(answer: Any) -> bytes:
    """Without NUL: scripts may say what they like, but the database would not take it."""
    return json.dumps(answer).replace("\\u0000", "\\ufffd").encode()


@cache
def _function(name: str) -> Callable[..., Any]:
    """What the server named, as `module:function`."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found


def _end_with(line: socket.socket) -> None:
    """End in the middle of anything as soon as nobody is at the other end of the line, even after kill -9."""
    hanging_up = select.poll()
    hanging_up.register(line, 0)
    while not any(event & (select.POLLHUP | select.POLLERR) for _, event in hanging_up.poll()):
        pass
    os._exit(0)


def _has_grown(texts: list[str]) -> bool:
    return len(texts) > MOST_TEXTS or _resident_bytes() > LARGEST_BYTES


def _resident_bytes() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:  # only Linux tells it this way; elsewhere the number of texts bounds the growth
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main(int(sys.argv[1]))
