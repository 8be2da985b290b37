"""Passwords: argon2id, hashed one after the other beside the event loop.

A hash costs a quarter of a second of a core and 64 MB, on purpose. When a class of probands logs in at once, those who
log in wait for each other; those who play must not wait for them. So there is one thread for it, of low priority, and
a hash takes one core only. (More threads finished no sooner and delayed everything else: docs/performance.md.)
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST = 10
LONGEST = 256
NICENESS = 5
"""Linux counts it per thread; elsewhere the whole process would become slower."""

Result = TypeVar("Result")


def _step_back() -> None:
    if os.uname().sysname == "Linux":
        os.nice(NICENESS)


_hasher = PasswordHasher(parallelism=1)
_thread = ThreadPoolExecutor(1, "passwords", initializer=_step_back)


async def _beside(work: Callable[[], Result]) -> Result:
    return await asyncio.get_running_loop().run_in_executor(_thread, work)


async def hash_password(password: str) -> str:
    return await _beside(lambda: _hasher.hash(password))


async def verify(password: str, stored: str | None) -> bool:
    """Whether the password fits. Without a stored hash the same work is done in vain, so that timing tells nothing."""
    return await _beside(lambda: _verify(password, stored))


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
