"""Passwords: argon2id, hashed one after the other beside the event loop.

A hash costs 19 MB and some hundredths of a second of a core, on purpose. When a class of probands logs in at once,
those who log in wait for each other; those who play must not wait for them. So there is one thread for it, and a hash
takes one core only: more of them finish no sooner, and delay everything else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from zxcvbn import zxcvbn  # type: ignore[import-untyped]  # it comes without type information

SHORTEST = 10
LONGEST = 256
FEWEST_DIFFERENT = 4
"""Characters; else it is a pattern rather than a password."""
GUESSED_FIRST = """
0123456789 0987654321 1111111111 1122334455 1234512345 12345678910 1234567890 123456789a 1234567891 1q2w3e4r5t
1qaz2wsx3edc 9876543210 abc1234567 abcdefghij administrator asdfghjkl1 basketball changemenow chocolate1
christopher fußball123 hallo12345 hallohallo iloveyou12 internet123 jennifer12 letmein123 liverpool1 michael123
mypassword passwort12 passwort123 passwort1234 passwortpasswort password01 password12 password123 password1234
password123! passwordpassword princess12 q1w2e3r4t5 qwerty1234 qwerty12345 qwertyuiop qwertyuiop123 qwertz1234
qwertzuiop schatz1234 schatzilein superman12 testtest12 testtesttest trustno1trustno1 welcome123 willkommen
willkommen1 zaq12wsxcde3
"""
"""The commonest passwords that are long enough, in both languages."""

FEWEST_GUESSES = 1_000_000
"""At one attempt a minute, which the limits allow, two years."""
LONGEST_ESTIMATED = 24
"""Characters; estimating takes a hundredth of a second at this length and grows with its square."""

Result = TypeVar("Result")


_GUESSED = frozenset(GUESSED_FIRST.casefold().split())
# One of the settings that OWASP's cheat sheet on storing passwords calls equally strong. The library's default takes
# seven times as long, which made logging in cost more than the match that follows.
_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_thread = ThreadPoolExecutor(1, "passwords")


async def _beside(work: Callable[[], Result]) -> Result:
    return await asyncio.get_running_loop().run_in_executor(_thread, work)


def is_guessed_first(password: str) -> bool:
    """Whether somebody who tries the passwords that the limits allow would try this one.

    zxcvbn knows the thirty thousand commonest passwords of public leaks, names, words and keyboards, and how people
    change them; nothing leaves the server.
    """
    plain = password.casefold()
    if plain in _GUESSED or len(set(plain)) < FEWEST_DIFFERENT or plain in (plain + plain)[1:-1]:
        return True
    return len(password) <= LONGEST_ESTIMATED and zxcvbn(password)["guesses"] < FEWEST_GUESSES


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
    """Whether the hash was made with other parameters than today's."""
    return _hasher.check_needs_rehash(stored)


@cache
def _nobodys_hash() -> str:
    return _hasher.hash("nobody's password")
