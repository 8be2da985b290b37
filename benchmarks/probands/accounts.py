"""Accounts of simulated probands, made in the database at once: confirmed, consenting, with one password for all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from server.accounts.passwords import hash_password
from server.storage.database import Database
from server.study.settings import change_setting

PASSWORD = "a password for measuring"  # noqa: S105 - guards nothing but this run
LONGEST_CLOCK = timedelta(hours=1)

MAKE = """
WITH named AS (
    SELECT 'measure-' || n AS name FROM generate_series($1::int, $1::int + $2::int - 1) AS n
), people AS (
    INSERT INTO persons (pseudonym, created_at) SELECT name, now() FROM named RETURNING id, pseudonym
), made AS (
    INSERT INTO accounts (person_id, email, password_hash, role, language, created_at, confirmed_at)
    SELECT id, pseudonym || '@example.org', $3, 'proband', 'en', now(), now() FROM people
)
INSERT INTO consents (person_id, text_id, given, at)
SELECT people.id, texts.id, true, now()
FROM people CROSS JOIN (SELECT DISTINCT ON (kind) id FROM consent_texts ORDER BY kind, version DESC) AS texts
"""


@dataclass(frozen=True, slots=True)
class Login:
    email: str
    password: str
    network: str
    """An address of its own, so that the limit on log-ins per network is not what is measured."""


async def make_logins(database: Database, count: int, first: int = 0) -> list[Login]:
    """`count` new accounts. The password is hashed once, at the real cost; every log-in then checks it at that cost."""
    hashed = await hash_password(PASSWORD)
    async with database.pool.acquire() as connection:
        await connection.execute(MAKE, first, count, hashed)
    return [
        Login(f"measure-{n}@example.org", PASSWORD, f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}")
        for n in range(first, first + count)
    ]


async def real_clocks(database: Database, pace: float) -> None:
    """At a quickened pace people still have a whole minute per move, and for coming back: machines are not quicker."""
    minute = min(timedelta(minutes=1) / min(pace, 1.0), LONGEST_CLOCK)
    async with database.transaction() as session:
        for name in ("move_clock", "grace_time"):
            await change_setting(session, name, minute.total_seconds(), changed_by="measuring")
