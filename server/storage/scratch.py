"""Folders for files that nobody needs once their process is gone. What a killed one left, the next one removes."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path


@contextmanager
def scratch_folder(room: Path) -> Iterator[Path]:
    """A new folder in `room`, which is for such folders alone; any number of processes may share it. Blocks."""
    room.mkdir(parents=True, exist_ok=True)
    with ExitStack() as ours:
        with _held(room):  # else another could take our folder for a dead one's before we hold it
            for found in room.iterdir():
                with suppress(BlockingIOError, FileNotFoundError), _held(found, wait=False):
                    shutil.rmtree(found, ignore_errors=True)
            folder = Path(tempfile.mkdtemp(dir=room))
            ours.enter_context(_held(folder))
        ours.callback(shutil.rmtree, folder, ignore_errors=True)
        yield folder


@contextmanager
def _held(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """The kernel drops the lock when its process ends, even by kill -9."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
