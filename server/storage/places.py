"""Where a process runs: only those of one place can see each other, and know whom a process number means.

Containers are places of their own, even if they share a folder. File locks hold across places.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

BOOT = Path("/proc/sys/kernel/random/boot_id")
NAMESPACE = Path("/proc/self/ns/pid")
PRIVATE = 0o700
PASSABLE = 0o711


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


def private_folder(folder: Path) -> None:
    """Make the folder, or close it, so that nobody else can look into it. If we are root, others may pass through:
    the embedded Postgres runs under another account."""
    wanted = PASSABLE if os.geteuid() == 0 else PRIVATE
    with suppress(
        OSError
    ):  # a folder that somebody else gave us stays as they made it; who needs one says what is wrong
        folder.mkdir(parents=True, exist_ok=True, mode=wanted)
        if folder.stat().st_mode & 0o777 & ~wanted:
            folder.chmod(wanted)
