"""Running Postgres' programs as an ordinary account, because they refuse to run as root.

A checkout below a closed folder (/root has mode 700) cannot be entered by that account. No foreign folder is opened up
for it; instead the process keeps the one capability to pass closed folders, and nothing else of root's powers.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import pwd
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

SET_DEATH_SIGNAL = 1
ACCOUNTS = ("postgres", "nobody")
CAPABILITIES = ("", "+dac_read_search", "+dac_override")
"""Weakest first; containers often lack the second."""


@dataclass(frozen=True, slots=True)
class Runner:
    """How to start a program: as ourselves, or as root under another account."""

    uid: int | None = None
    gid: int | None = None
    capabilities: str = ""

    def command(self, command: list[str], *, die_with_parent: str = "") -> list[str]:
        """The full command line. `die_with_parent` names the signal to get when the starting process dies."""
        prefix: list[str] = []
        if self.uid is not None:
            prefix += ["--reuid", str(self.uid), "--regid", str(self.gid), "--clear-groups"]
        if self.capabilities:
            # Without the secure bit access(2), which initdb asks about its own files, would ignore the capability.
            prefix += ["--securebits", "+no_setuid_fixup"]
            prefix += ["--inh-caps", self.capabilities, "--ambient-caps", self.capabilities]
        if die_with_parent:
            prefix += ["--pdeathsig", die_with_parent]
        return ["setpriv", *prefix, *command] if prefix else command

    def give(self, path: Path) -> None:
        """Make the account the owner of a path that we created."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)


def die_with_parent(number: signal.Signals = signal.SIGTERM) -> None:
    """Let this process get a signal when the one that started it dies, even by kill -9. Only Linux can do it."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(SET_DEATH_SIGNAL, int(number))
        parent = multiprocessing.parent_process()
        if parent is not None and parent.pid != os.getppid():
            os.kill(os.getpid(), number)  # it died before we could ask to be told


def runner_for(data: Path, program: Path) -> Runner:
    """Who may run `program` on the folder `data`: its owner if it exists, else an unprivileged system account."""
    if os.geteuid() != 0:
        return Runner()
    uid, gid = _owner(data) or _system_account()
    for capabilities in CAPABILITIES:
        runner = Runner(uid, gid, capabilities)
        if _can_enter(runner, program, data.parent):
            return runner
    raise PermissionError(
        f"the account with uid {uid} cannot reach {data.parent} or {program}, and there is no capability to pass "
        "closed folders; set GRINTU_DATABASE_URL, or start the server as an ordinary user"
    )


def _owner(data: Path) -> tuple[int, int] | None:
    try:
        status = data.stat()
    except FileNotFoundError:
        return None
    return (status.st_uid, status.st_gid) if status.st_uid else None


def _system_account() -> tuple[int, int]:
    for name in ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return entry.pw_uid, entry.pw_gid
    raise PermissionError(f"running as root needs one of the system accounts {', '.join(ACCOUNTS)}")


def _can_enter(runner: Runner, program: Path, folder: Path) -> bool:
    for probe in (["test", "-x", str(program)], [str(program), "--version"], ["test", "-x", str(folder)]):
        done = subprocess.run(runner.command(probe), capture_output=True, cwd="/", check=False)
        if done.returncode:
            return False
    return True
