"""Keys and signatures as files: one line of base64."""

from __future__ import annotations

import base64
import os
from pathlib import Path

from server.backup.errors import BackupError


def write(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a new file; one that is there is never replaced."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except OSError as error:
        raise BackupError(f"Cannot write {path}: {error.strerror}.") from error
    with os.fdopen(descriptor, "wb") as file:
        file.write(base64.b64encode(content) + b"\n")


def read(path: Path, size: int, what: str) -> bytes:
    """So many bytes; `what` says what the file should be and how to get one."""
    try:
        content = base64.b64decode(path.read_bytes().strip(), validate=True)
    except OSError as error:
        raise BackupError(f"Cannot read {path}: {error.strerror}.") from error
    except ValueError:
        content = b""
    if len(content) != size:
        raise BackupError(f"{path} is no {what}.")
    return content
