"""Sealed backups: encrypted, and worth nothing once anybody without the key has changed a bit of them.

AES-256-GCM in pieces, each with its number and whether it is the last one in its nonce, so that none can be changed,
left out, moved or cut off; the key of a file comes from the key and random salt, so no nonce is ever used twice.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from server.backup import keys
from server.backup.errors import BackupError

MARK: Final = b"GRINTU sealed backup 1\n"
KEY_BYTES: Final = 32
SALT_BYTES: Final = 32
TAG_BYTES: Final = 16
PIECE: Final = 64 * 1024


def new_key(path: Path) -> None:
    """Write a fresh key to a file that only we can read."""
    keys.write(path, secrets.token_bytes(KEY_BYTES))


def read_key(path: Path) -> bytes:
    return keys.read(path, KEY_BYTES, "key; make one with `grintu backup-key --out FILE`")


class Sealer:
    """A file to write to, whose contents arrive sealed in another one."""

    def __init__(self, file: IO[bytes], key: bytes):
        salt = secrets.token_bytes(SALT_BYTES)
        self._file, self._cipher = file, _cipher(key, salt)
        self._number, self._begun = 0, bytearray()
        file.write(MARK + salt)

    def write(self, data: bytes) -> int:
        self._begun += data
        while len(self._begun) > PIECE:  # one piece stays back: it may be the last
            self._put(bytes(self._begun[:PIECE]), last=False)
            del self._begun[:PIECE]
        return len(data)

    def flush(self) -> None:
        """What has been begun waits for the rest of its piece."""

    def finish(self) -> None:
        self._put(bytes(self._begun), last=True)

    def _put(self, piece: bytes, *, last: bool) -> None:
        self._file.write(self._cipher.encrypt(_nonce(self._number, last=last), piece, None))
        self._number += 1


def is_sealed(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(MARK)) == MARK
    except OSError:
        return False  # who reads it says why it cannot be read


@contextmanager
def opened(path: Path, key: bytes | None) -> Iterator[Path]:
    """The backup as a plain file: itself, or unsealed into a folder that only we can read, while it is needed."""
    if not is_sealed(path):
        if key is not None:
            raise BackupError(
                f"{path} is not sealed, so anybody may have written it. Without --key it is read as it is."
            )
        yield path
        return
    if key is None:
        raise BackupError(f"{path} is sealed; name the file with its key: --key FILE")
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "backup.zip"
        try:
            with path.open("rb") as source, plain.open("wb") as target:
                _unseal(source, target, key)
        except InvalidTag:
            raise BackupError(
                f"{path} was sealed with another key, or cut off or changed. Nothing was changed."
            ) from None
        yield plain


def _unseal(source: IO[bytes], target: IO[bytes], key: bytes) -> None:
    source.read(len(MARK))
    cipher = _cipher(key, source.read(SALT_BYTES))
    number, piece = 0, source.read(PIECE + TAG_BYTES)
    while True:
        following = source.read(PIECE + TAG_BYTES)
        target.write(cipher.decrypt(_nonce(number, last=not following), piece, None))
        if not following:
            return
        number, piece = number + 1, following


def _cipher(key: bytes, salt: bytes) -> AESGCM:
    return AESGCM(HKDF(SHA256(), KEY_BYTES, salt, MARK).derive(key))


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11) + bytes([last])
