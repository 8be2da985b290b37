"""Starts programs in the sandbox of this machine, or says why it has none; nothing is ever run without it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import socket
import subprocess
import sys
import tempfile
from dataclasses import asdict
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from npc.decision import FaultKind
from npc.program.host import LostError, Used
from server.sandbox import kernel
from server.sandbox.languages import LANGUAGES, missing, running, translating
from server.sandbox.limits import COMPILING, Limits
from server.sandbox.talking import Talk
from server.storage.scratch import scratch_folder

ROOT: Final = Path(__file__).parents[2]
CODE: Final = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from server.sandbox.launcher import main; main()"
PATIENCE: Final = 30.0
"""Seconds for the sandbox itself to be built, on however busy a machine."""
REASONS: Final = {
    "memory": "it took more than {memory} MB of memory",
    "cpu": "it computed for more than {cpu_seconds:g} s",
    "life": "it ran for more than {life_seconds:g} s",
}
PASSABLE: Final = 0o711
"""The sandbox's user has to come through to the files that it is shown; nobody else can list them."""
UNKNOWN_COMPILER: Final = "the compiler gave no reason"


class Sandboxed:
    """A process in a sandbox of its own. Implements npc.program.host.Running."""

    def __init__(self, command: list[str], files: dict[str, str], limits: Limits, folder: Path) -> None:
        """Raises LostError if the machine does not let it be built."""
        self._limits = limits
        root = folder / "root"
        root.mkdir(exist_ok=True)
        ours, theirs = socket.socketpair()
        order = asdict(limits) | {
            "command": command,
            "program": files,
            "root": str(root),
            "shown": [str(found) for found in Path("/etc").glob("java*")],
            "line": theirs.fileno(),
        }
        self._line = ours
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-E", "-s", "-S", "-c", CODE, json.dumps(order)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                cwd="/",
                env={},
            )
        self.talk = Talk(self._process, limits)
        self._reports = ours.makefile("rb")
        ours.settimeout(PATIENCE)
        first = self._report()
        if "running" not in first:
            self.talk.drain()
            words = first.get("refused") or self.talk.errors.decode(errors="replace")[-300:] or "no reason was given"
            self._end()
            raise LostError(FaultKind.NO_ENGINE, f"this machine offers no sandbox: {words}")
        self._used: Used | None = None

    def ask(self, question: str, seconds: float) -> str:
        try:
            return self.talk.ask(question, seconds)
        except LostError as lost:
            raise self._because(lost) from None

    def close(self) -> Used:
        if self._used is None:
            self._finish()
        assert self._used is not None
        return self._used

    def _because(self, lost: LostError) -> LostError:
        """A better reason, if the sandbox knows one: which limit was passed, or how the program ended."""
        ended = self.talk.ended
        report = self._finish(kill=not ended)
        if report.get("reason"):
            told = asdict(self._limits) | {"memory": self._limits.memory // (1024 * 1024)}
            return LostError(FaultKind.LIMIT, REASONS[report["reason"]].format(**told))
        if ended and "code" in report:
            code = report["code"]
            how = f"it was ended by signal {-code}" if code < 0 else f"it ended with code {code}"
            return LostError(FaultKind.THREW, f"{how} instead of answering")
        return lost

    def finished(self) -> dict[str, Any]:
        """Wait until it ends by itself, as far as its limits let it, and tell how."""
        return self._finish(kill=False)

    def _finish(self, *, kill: bool = True) -> dict[str, Any]:
        if kill:
            with contextlib.suppress(OSError):
                self._line.shutdown(socket.SHUT_WR)
        report = self._report()
        if not report:  # it closed its stdout and lives on
            with contextlib.suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)
        self.talk.drain()
        errors = self.talk.errors.decode(errors="replace").replace("\x00", "\ufffd")
        self._used = Used(errors, int(report.get("memory", 0)), float(report.get("seconds", 0.0)))
        self._end()
        return report

    def _report(self) -> dict[str, Any]:
        try:
            told: dict[str, Any] = json.loads(self._reports.readline() or b"{}")
        except (OSError, ValueError):
            return {}
        return told

    def _end(self) -> None:
        self.talk.close()
        self._reports.close()
        self._line.close()  # the watcher ends the sandbox and then itself
        self._process.wait()


class SandboxHost:
    """Implements npc.program.host.Host. What was translated once is kept as long as this process."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._ending = contextlib.ExitStack()

    @cached_property
    def _folder(self) -> Path:
        room = Path(tempfile.gettempdir()) / f"grintu-sandboxes-{os.geteuid()}"
        room.mkdir(exist_ok=True)
        if room.is_symlink() or room.stat().st_uid != os.geteuid():
            raise LostError(FaultKind.NO_ENGINE, f"{room} belongs to somebody else")
        room.chmod(PASSABLE)
        folder = self._ending.enter_context(scratch_folder(room))
        folder.chmod(PASSABLE)
        return folder

    def start(self, language: str, source: str) -> Sandboxed:
        reason = refusal()
        if reason:
            raise LostError(FaultKind.NO_ENGINE, reason)
        program = self.translated(language, source)
        command = running(LANGUAGES[language], f"/program/{program.name}")
        return Sandboxed(command, {program.name: str(program)}, self.limits, self._folder)

    def translated(self, language: str, source: str) -> Path:
        """The file that is run. Raises LostError with what the compiler says."""
        tools = missing(language)
        if tools:
            raise LostError(FaultKind.NO_ENGINE, f"this machine has no {', '.join(tools)}, which {language} needs")
        known = LANGUAGES[language]
        digest = hashlib.sha256(f"{language}\n{source}".encode()).hexdigest()
        folder = self._folder / digest
        program = folder / known.program
        if program.exists():
            return program
        folder.mkdir(exist_ok=True)
        folder.chmod(PASSABLE)
        written = folder / f"source-{known.file}"
        written.write_text(source, encoding="utf-8")
        written.chmod(0o444)
        new = folder / "new"
        new.write_bytes(self._translate(language, written))
        new.chmod(0o555)
        return new.rename(program)

    def _translate(self, language: str, written: Path) -> bytes:
        known = LANGUAGES[language]
        command = translating(known, f"/program/{known.file}")
        ran = Sandboxed(command, {known.file: str(written)}, COMPILING, self._folder)
        try:
            output = ran.talk.everything(COMPILING.action_seconds)
        except LostError as lost:
            errors = ran.close().errors
            raise LostError(lost.fault.kind, f"while it was translated: {lost}\n{errors}".strip()) from None
        report = ran.finished()
        if report.get("code") != 0:
            words = ran.close().errors.strip() or REASONS.get(report.get("reason", ""), UNKNOWN_COMPILER)
            raise LostError(FaultKind.SYNTAX, words)
        return output

    def close(self) -> None:
        self._ending.close()


@cache
def refusal() -> str:
    """Why no program may run on this machine; empty if it has a sandbox. Found out by building one."""
    if sys.platform != "linux" or platform.machine() != kernel.MACHINE:
        return f"the sandbox is for Linux on {kernel.MACHINE}, not for {sys.platform} on {platform.machine()}"
    with tempfile.TemporaryDirectory(prefix="grintu-sandbox-") as folder:
        Path(folder).chmod(PASSABLE)
        try:
            tried = Sandboxed(["/bin/sh", "-c", "exit 7"], {}, Limits(), Path(folder))
            code = tried.finished().get("code")
        except (LostError, OSError) as error:
            return str(error)
    return "" if code == 7 else f"a program in the sandbox ended with {code} instead of 7"
