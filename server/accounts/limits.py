"""Rate limits that hold over all server processes: buckets of permits in Postgres that refill with time."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import text
from starlette.requests import HTTPConnection

from server.clock import now
from server.database import Database
from server.errors import TooManyRequests
from server.settings import Settings


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
    "trial-account": Limit(20, timedelta(seconds=30)),
    "export-account": Limit(20, timedelta(seconds=30)),
    "download-account": Limit(20, timedelta(seconds=30)),
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


async def take(database: Database, settings: Settings, kind: str, subject: str) -> None:
    """Use up one permit, or raise TooManyRequests. Counts even if the request fails later."""
    limit = LIMITS[kind]
    bucket = f"{kind}:{_digest(settings, subject)}"
    values = {"bucket": bucket, "burst": float(limit.burst), "refill": limit.refill.total_seconds(), "now": now()}
    async with database.transaction() as session:
        left = await session.scalar(TAKE, values)
    if left is None:
        seconds = math.ceil(limit.refill.total_seconds())
        raise TooManyRequests(seconds=seconds, headers={"Retry-After": str(seconds)})


def network_of(connection: HTTPConnection) -> str:
    """The caller's address; of IPv6 the part that belongs to one household."""
    host = connection.client.host if connection.client else "unknown"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    return str(ipaddress.ip_network(f"{host}/64", strict=False)) if address.version == 6 else host


def _digest(settings: Settings, subject: str) -> str:
    """The table shall not collect addresses of people."""
    return hmac.new(f"limit:{settings.secret}".encode(), subject.encode(), hashlib.sha256).hexdigest()[:32]
