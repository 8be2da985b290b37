"""Databases for the measurements outside of the tests: a Postgres of its own, and fresh copies of what is migrated."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from pydantic import SecretStr
from sqlalchemy.engine import make_url

from server.base.settings import Settings
from server.storage.migrate import migrate
from server.storage.postgres import Cluster

MIGRATED = "migrated"

Fresh = Callable[[], Settings]
"""Settings of a new installation with an empty database."""


@contextmanager
def installations() -> Iterator[Fresh]:
    """They last until the end of the block. What the environment says about the platform does not count."""
    for name in [name for name in os.environ if name.startswith("GRINTU_")]:
        del os.environ[name]
    with tempfile.TemporaryDirectory(prefix="grintu-blind-") as folder:
        cluster = Cluster(Path(folder) / "postgres", throwaway=True)
        url = cluster.acquire()
        numbers = count()
        try:
            asyncio.run(_execute(url, f"CREATE DATABASE {MIGRATED}"))
            migrate(_named(url, MIGRATED))

            def fresh() -> Settings:
                name = f"measured_{next(numbers)}"
                asyncio.run(_execute(url, f"CREATE DATABASE {name} TEMPLATE {MIGRATED}"))
                return Settings(
                    _env_file=None,
                    secret_key=SecretStr("a secret for measurements that is long enough"),
                    database_url=SecretStr(_named(url, name)),
                    data_dir=Path(folder) / name,
                    base_url="http://127.0.0.1",
                )

            yield fresh
        finally:
            cluster.release()


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(statement)
    await connection.close()


def _named(url: str, name: str) -> str:
    return make_url(url).set(database=name).render_as_string(hide_password=False)
