"""Programs on the machine of whoever wrote them: the same lines, without a sandbox. Only the command line uses it.

What people start on their own machines needs no protection from them. A server never runs anything this way.
"""

from __future__ import annotations

import contextlib
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

import psutil

from npc.decision import FaultKind
from npc.program.host import LostError, Used
from server.sandbox.languages import LANGUAGES
from server.sandbox.limits import COMPILING, Limits
from server.sandbox.talking import Talk


class OwnProcess:
    """Implements npc.program.host.Running."""

    def __init__(self, command: list[str], limits: Limits) -> None:
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise LostError(FaultKind.THREW, f"{command[0]} cannot be started: {error.strerror}") from None
        self._talk = Talk(self._process, limits)

    def ask(self, question: str, seconds: float) -> str:
        return self._talk.ask(question, seconds)

    def close(self) -> Used:
        """What it has taken is looked at in the end, so it is less exact than in the sandbox, and alone its own."""
        memory, seconds = 0, 0.0
        if self._process.poll() is None:
            with contextlib.suppress(psutil.Error):
                itself = psutil.Process(self._process.pid)
                memory, seconds = itself.memory_info().rss, sum(itself.cpu_times()[:2])
            self._process.kill()
        self._talk.drain()
        self._talk.close()
        self._process.wait()
        return Used(self._talk.errors.decode(errors="replace"), memory, seconds)


class OwnHost:
    """Implements npc.program.host.Host."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._kept = tempfile.TemporaryDirectory(prefix="grintu-program-")

    def start(self, language: str, source: str) -> OwnProcess:
        known, folder = LANGUAGES[language], Path(self._kept.name)
        lacking = [tool for tool in known.needs if shutil.which(tool) is None]
        if lacking:
            raise LostError(FaultKind.NO_ENGINE, f"this machine has no {', '.join(lacking)}, which {language} needs")
        written, program = folder / known.file, folder / known.program
        if not program.exists() or written.read_text(encoding="utf-8") != source:
            written.write_text(source, encoding="utf-8")
            program.write_bytes(self._translated(language, written))
            program.chmod(0o755)
        return OwnProcess([part.format(program=program) for part in known.run], self.limits)

    def _translated(self, language: str, written: Path) -> bytes:
        with tempfile.TemporaryDirectory() as scratch:
            line = LANGUAGES[language].translate.format(source=shlex.quote(str(written)))
            try:
                ran = subprocess.run(
                    ["/bin/sh", "-c", line],
                    cwd=scratch,
                    capture_output=True,
                    timeout=COMPILING.life_seconds,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise LostError(FaultKind.LIMIT, f"not translated within {COMPILING.life_seconds:g} s") from None
        if ran.returncode != 0:
            raise LostError(FaultKind.SYNTAX, ran.stderr.decode(errors="replace").strip())
        return ran.stdout

    def close(self) -> None:
        self._kept.cleanup()
