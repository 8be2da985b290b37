"""Passwords: argon2id, hashed in a thread so that the event loop goes on."""

from __future__ import annotations

import asyncio
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST = 10
LONGEST = 256

_hasher = PasswordHasher()


async def hash_password(password: str) -> str:
    return await asyncio.to_thread(_hasher.hash, password)


async def verify(password: str, stored: str | None) -> bool:
    """Whether the password fits. Without a stored hash the same work is done in vain, so that timing tells nothing."""
    return await asyncio.to_thread(_verify, password, stored)


def _verify(password: str, stored: str | None) -> bool:
    try:
        return _hasher.verify(stored or _nobodys_hash(), password) and stored is not None
    except (VerificationError, InvalidHashError):
        return False


def outdated(stored: str) -> bool:
    """Whether the hash was made with weaker parameters than today's."""
    return _hasher.check_needs_rehash(stored)


@cache
def _nobodys_hash() -> str:
    return _hasher.hash("nobody's password")
