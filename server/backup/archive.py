"""A backup as a file: a zip of the dump, as pg_dump wrote it, and a manifest that tells what it is.

The manifest comes last, when everything is known of the dump; so a file that was cut off has none. Nothing is packed
twice: the dump is compressed already. `unzip -p FILE database.dump | pg_restore` works without this software.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Final, cast

from server.backup.errors import BackupError
from server.backup.sealing import Sealer

FORMAT: Final = 1
DUMP: Final = "database.dump"
MANIFEST: Final = "manifest.json"
CHUNK: Final = 1024 * 1024
ONLY_OWNER: Final = 0o600


@dataclass(frozen=True)
class Contents:
    """What the database was when the backup began."""

    made_at: str
    software: str
    revision: str
    postgres: int
    """The server's major version."""
    rows: dict[str, int]
    """Table → how many rows it had."""


@dataclass(frozen=True)
class Manifest:
    format: int
    contents: Contents
    bytes: int
    sha256: str

    @property
    def when(self) -> datetime:
        return datetime.fromisoformat(self.contents.made_at)


def write_backup(path: Path, contents: Contents, dump: Iterable[bytes], key: bytes | None = None) -> Manifest:
    """Write the file under its name only when it is whole; a kill leaves nothing behind. With a key it is sealed."""
    try:
        with _appearing(path) as file, _perhaps_sealed(file, key) as target, zipfile.ZipFile(target, "w") as archive:
            digest, size = hashlib.sha256(), 0
            with archive.open(DUMP, "w", force_zip64=True) as member:
                for chunk in dump:
                    digest.update(chunk)
                    size += member.write(chunk)
            manifest = Manifest(FORMAT, contents, size, digest.hexdigest())
            archive.writestr(MANIFEST, json.dumps(asdict(manifest), indent=2))
    except OSError as error:
        raise BackupError(f"Cannot write {path}: {error.strerror or error}. No backup was written.") from error
    return manifest


@contextmanager
def _perhaps_sealed(file: IO[bytes], key: bytes | None) -> Iterator[IO[bytes]]:
    if key is None:
        yield file
        return
    sealer = Sealer(file, key)
    yield cast("IO[bytes]", sealer)  # as much of one as a zip needs that is only written
    sealer.finish()


@contextmanager
def _appearing(path: Path) -> Iterator[IO[bytes]]:
    """A file that has no name until it is complete. Where the file system cannot do that, it has another name."""
    if path.exists():
        raise FileExistsError(17, "it exists already, and backups are not overwritten")
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        descriptor = os.open(path.parent, os.O_TMPFILE | os.O_RDWR, ONLY_OWNER)
    except (OSError, AttributeError) as error:
        if isinstance(error, FileNotFoundError | PermissionError):
            raise
        descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, ONLY_OWNER)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            os.fsync(descriptor)
            source = draft if draft.exists() else Path(f"/proc/self/fd/{descriptor}")
            # Fails where somebody else was quicker. A folder is named, though the path needs none, because only then
            # Python uses the call that follows the link in /proc.
            os.link(source, path, src_dir_fd=descriptor)
    finally:
        draft.unlink(missing_ok=True)


def read_manifest(path: Path) -> Manifest:
    """What the backup says of itself, once it is proved to be whole. Raises BackupError."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _manifest(json.loads(archive.read(MANIFEST)), path)
            digest = hashlib.sha256()
            with archive.open(DUMP) as member:
                while chunk := member.read(CHUNK):
                    digest.update(chunk)
    except OSError as error:
        raise BackupError(f"Cannot read {path}: {error.strerror or error}.") from error
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError) as error:
        raise BackupError(f"{path} is no backup, or was cut off or damaged. Nothing was changed.") from error
    if digest.hexdigest() != manifest.sha256:
        raise BackupError(f"{path} is damaged: its contents are not what was written. Nothing was changed.")
    return manifest


def _manifest(found: dict[str, object], path: Path) -> Manifest:
    if found["format"] != FORMAT:
        raise BackupError(
            f"{path} has the format {found['format']}; this software reads {FORMAT}. Use a newer version."
        )
    contents = found["contents"]
    assert isinstance(contents, dict)
    return Manifest(FORMAT, Contents(**contents), int(str(found["bytes"])), str(found["sha256"]))


def dump_of(path: Path) -> Iterator[bytes]:
    """The dump, piece by piece."""
    with zipfile.ZipFile(path) as archive, archive.open(DUMP) as member:
        while chunk := member.read(CHUNK):
            yield chunk
