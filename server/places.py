"""Where a process runs: only those of one place can see each other, and know whom a process number means.

Containers are places of their own, even if they share a folder. File locks hold across places.
"""

from __future__ import annotations

import fcntl
from contextlib import suppress
from pathlib import Path

BOOT = Path("/proc/sys/kernel/random/boot_id")
NAMESPACE = Path("/proc/self/ns/pid")


def place() -> str:
    """The machine since its start, and the namespace of process numbers. Only Linux has either."""
    with suppress(OSError):
        return f"{BOOT.read_text().strip()} {NAMESPACE.readlink()}"
    return ""


def is_held(lock: Path) -> bool:
    """Whether anybody has a lock on this file, ourselves included."""
    with lock.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def claim(note: Path, *locks: Path) -> bool:
    """Note down that we use something from here; False if it is used from elsewhere, where somebody holds a lock."""
    here = place()
    there = note.read_text() if note.exists() else ""
    if there not in ("", here) and any(map(is_held, locks)):
        return False
    if there != here:
        note.write_text(here)
    return True
