"""Signed backups: whoever has the public key can tell who made a file and that nobody changed it, unopened.

The key that seals a backup opens it, too, so whoever can check a seal could also make one. A signature is made with a
key of its own (Ed25519, over the SHA-512 of the file as it lies there, sealed or not) and stands beside the file.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from server.backup import keys
from server.backup.errors import BackupError

PURPOSE: Final = b"GRINTU backup signature 1\n"
KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
MAKES: Final = "; `grintu backup-signer --out FILE` makes a pair of keys"


def new_signer(path: Path) -> Path:
    """Write a fresh private key to a file that only we can read, its public key beside it, and say where that is."""
    private = Ed25519PrivateKey.generate()
    public = path.with_name(f"{path.name}.public")
    keys.write(path, private.private_bytes_raw())
    try:
        keys.write(public, private.public_key().public_bytes_raw(), 0o644)
    except BackupError:
        path.unlink()  # half of a pair is worth nothing
        raise
    return public


def read_private(path: Path) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(keys.read(path, KEY_BYTES, f"private key of a signer{MAKES}"))


def read_public(path: Path) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(keys.read(path, KEY_BYTES, f"public key of a signer{MAKES}"))


def signature_of(backup: Path) -> Path:
    return backup.with_name(f"{backup.name}.signature")


def sign(backup: Path, key: Ed25519PrivateKey) -> Path:
    """Write the signature beside the backup; its path."""
    path = signature_of(backup)
    keys.write(path, key.sign(_message(backup)))
    return path


def verify(backup: Path, key: Ed25519PublicKey) -> None:
    """Refuse a backup that does not have a signature beside it, or another one than this key's over these bytes."""
    path = signature_of(backup)
    if not path.exists():
        raise BackupError(f"{backup} is not signed: there is no {path}. Without --signed-by it is read as it is.")
    signature = keys.read(path, SIGNATURE_BYTES, "signature of a backup")
    try:
        key.verify(signature, _message(backup))
    except InvalidSignature:
        raise BackupError(f"{backup} was signed by another key, or changed since. Nothing was changed.") from None


def _message(backup: Path) -> bytes:
    try:
        with backup.open("rb") as file:
            return PURPOSE + hashlib.file_digest(file, "sha512").digest()
    except OSError as error:
        raise BackupError(f"Cannot read {backup}: {error.strerror}.") from error
