"""Which lines of ours an input reaches: an input that reaches a new one is worth mutating further.

Python 3.12 and newer can tell it nearly for free (`sys.monitoring`); before, a trace function does, which gives up a
function once all of its lines are known.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, Protocol

ROOT: Final = Path(__file__).resolve().parent.parent.parent
OURS: Final = tuple(str(ROOT / room) for room in ("kernels", "games", "npc", "lab", "server"))

Place = tuple[str, int]


class Watch(Protocol):
    """Sees lines while it is open; `seen` only grows."""

    seen: set[Place]

    def open(self) -> None: ...
    def close(self) -> None: ...


def is_ours(code: CodeType) -> bool:
    return code.co_filename.startswith(OURS)


class Tracing:
    """For Python 3.11."""

    def __init__(self) -> None:
        self.seen: set[Place] = set()
        self._left: dict[CodeType, set[int]] = {}

    def open(self) -> None:
        sys.settrace(self._enter)

    def close(self) -> None:
        sys.settrace(None)

    def _enter(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        left = self._left.get(frame.f_code)
        if left is None:
            code = frame.f_code
            left = {line for *_, line in code.co_lines() if line is not None} if is_ours(code) else set()
            self._left[code] = left
        return self._step if left else None

    def _step(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            self.seen.add((frame.f_code.co_filename, frame.f_lineno))
            self._left[frame.f_code].discard(frame.f_lineno)
        return self._step


class Monitoring:
    """For Python 3.12 and newer: a line reports once and is silent from then on."""

    TOOL: Final = 4

    def __init__(self) -> None:
        self.seen: set[Place] = set()
        self._tools: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]  # not there in 3.11

    def open(self) -> None:
        tools = self._tools
        tools.use_tool_id(self.TOOL, "grintu fuzz")
        tools.register_callback(self.TOOL, tools.events.LINE, self._line)
        tools.set_events(self.TOOL, tools.events.LINE)

    def close(self) -> None:
        self._tools.set_events(self.TOOL, 0)
        self._tools.free_tool_id(self.TOOL)

    def _line(self, code: CodeType, line: int) -> Any:
        if is_ours(code):
            self.seen.add((code.co_filename, line))
        return self._tools.DISABLE


def new_watch() -> Watch:
    return Monitoring() if hasattr(sys, "monitoring") else Tracing()


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    watch.open()
    try:
        yield
    finally:
        watch.close()
