"""Rate limits that hold over all server processes: buckets of permits in Postgres that refill with time."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import text
from starlette.requests import HTTPConnection

from server.base.clock import now
from server.base.errors import TooManyRequests
from server.base.settings import Settings
from server.storage.database import Database


@dataclass(frozen=True, slots=True)
class Limit:
    """So many at once, then one more each time `refill` has passed."""

    burst: int
    refill: timedelta


LIMITS = {
    "login-address": Limit(10, timedelta(minutes=1)),
    "login-network": Limit(100, timedelta(seconds=5)),
    "register-network": Limit(60, timedelta(seconds=30)),
    "mail-address": Limit(5, timedelta(minutes=15)),
    "password-account": Limit(10, timedelta(minutes=1)),
    "code-account": Limit(5, timedelta(minutes=1)),
    "trial-account": Limit(20, timedelta(seconds=30)),
    "trial-running": Limit(1, timedelta(minutes=3)),
    "export-account": Limit(20, timedelta(seconds=30)),
    "build-account": Limit(6, timedelta(minutes=5)),
    "download-account": Limit(20, timedelta(seconds=30)),
    "page-account": Limit(60, timedelta(seconds=2)),
    "match-account": Limit(120, timedelta(seconds=1)),
    "study-account": Limit(120, timedelta(seconds=1)),
    "viewer-account": Limit(60, timedelta(seconds=2)),
    "source-account": Limit(300, timedelta(seconds=1)),
    "practice-account": Limit(300, timedelta(seconds=0.5)),
}
"""Per network generous: a whole class of probands may sit behind one address."""

TAKE = text(
    """
    INSERT INTO rate_limits AS held (bucket, permits, updated_at) VALUES (:bucket, :burst - 1, :now)
    ON CONFLICT (bucket) DO UPDATE
       SET permits = LEAST(:burst, held.permits + EXTRACT(EPOCH FROM :now - held.updated_at) / :refill) - 1,
           updated_at = :now
     WHERE LEAST(:burst, held.permits + EXTRACT(EPOCH FROM :now - held.updated_at) / :refill) >= 1
    RETURNING permits
    """
)

GIVE_BACK = text("UPDATE rate_limits SET permits = LEAST(:burst, permits + 1) WHERE bucket = :bucket")


async def take(database: Database, settings: Settings, kind: str, subject: str, refusal: str | None = None) -> None:
    """Use up one permit, or raise TooManyRequests. Counts even if the request fails later."""
    limit = LIMITS[kind]
    bucket = _bucket(settings, kind, subject)
    values = {"bucket": bucket, "burst": float(limit.burst), "refill": limit.refill.total_seconds(), "now": now()}
    async with database.transaction() as session:
        left = await session.scalar(TAKE, values)
    if left is None:
        seconds = math.ceil(limit.refill.total_seconds())
        raise TooManyRequests(refusal, seconds=seconds, headers={"Retry-After": str(seconds)})


@asynccontextmanager
async def holding(
    database: Database, settings: Settings, kind: str, subject: str, refusal: str | None = None
) -> AsyncIterator[None]:
    """Use up a permit that is given back at the end. If the process dies meanwhile, it refills like any other."""
    await take(database, settings, kind, subject, refusal)
    try:
        yield
    finally:
        values = {"bucket": _bucket(settings, kind, subject), "burst": float(LIMITS[kind].burst)}
        async with database.transaction() as session:
            await session.execute(GIVE_BACK, values)


def network_of(connection: HTTPConnection) -> str:
    """The caller's address; of IPv6 the part that belongs to one household."""
    host = connection.client.host if connection.client else "unknown"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    return str(ipaddress.ip_network(f"{host}/64", strict=False)) if address.version == 6 else host


def _bucket(settings: Settings, kind: str, subject: str) -> str:
    """The table shall not collect addresses of people."""
    digest = hmac.new(f"limit:{settings.secret}".encode(), subject.encode(), hashlib.sha256).hexdigest()
    return f"{kind}:{digest[:32]}"
