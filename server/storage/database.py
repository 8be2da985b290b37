"""The way to Postgres: declarative base, ORM sessions, and a plain asyncpg pool for hand-written SQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar, cast

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from sqlalchemy import BigInteger, DateTime, Identity, MetaData, event, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, mapped_column
from sqlalchemy.pool import QueuePool

from server.base.clock import now
from server.base.settings import Settings
from server.storage.places import private_folder
from server.storage.postgres import Cluster

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}

PATIENCE = timedelta(seconds=10)
"""For a connection, or for a free one; servers and workers have their own setting (`database_patience`)."""
FROZEN_SECONDS = 5.0
LONGEST_WORK = timedelta(hours=2)
"""For workers and commands, which compute and export."""
LONGEST_ANSWER = timedelta(seconds=60)
"""For servers: nobody waits longer for a page."""

Key = Annotated[int, mapped_column(BigInteger, Identity(always=True), primary_key=True)]
Moment = Annotated[datetime, mapped_column(DateTime(timezone=True))]
CreatedAt = Annotated[datetime, mapped_column(DateTime(timezone=True), default=now)]


class Base(DeclarativeBase):
    """Every table. Write relationships with ``lazy="raise"``: a query says what it loads."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        int: BigInteger,
        datetime: DateTime(timezone=True),
        dict[str, Any]: JSONB,
        list[Any]: JSONB,
    }


class Database:
    """One process's connections to one database."""

    def __init__(self, engine: AsyncEngine, pool: asyncpg.Pool):
        self.engine = engine
        self.pool = pool
        self.sessions: async_sessionmaker[AsyncSession] = async_sessionmaker(engine, expire_on_commit=False)
        # Over the same connections, but no BEGIN before and no ROLLBACK after: for single statements that only read.
        self.glances: async_sessionmaker[AsyncSession] = async_sessionmaker(
            engine.execution_options(isolation_level="AUTOCOMMIT"), expire_on_commit=False
        )

    @property
    def connections(self) -> int:
        """Open ones, used or not."""
        return self._orm.checkedin() + self._orm.checkedout() + int(self.pool.get_size())

    @property
    def connections_in_use(self) -> int:
        return self._orm.checkedout() + int(self.pool.get_size()) - int(self.pool.get_idle_size())

    @property
    def _orm(self) -> QueuePool:
        return cast("QueuePool", self.engine.pool)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """A session that is committed at the end, or rolled back when something is raised."""
        async with self.sessions() as session, session.begin():
            yield session


def plain_url(url: str) -> str:
    """The URL as asyncpg understands it."""
    return _with_driver(url, "postgresql").render_as_string(hide_password=False)


def sqlalchemy_url(url: str) -> URL:
    """The URL as SQLAlchemy understands it; its name for sslmode is another one."""
    parsed = _with_driver(url, "postgresql+asyncpg")
    mode = parsed.query.get("sslmode")
    if mode is None:
        return parsed
    return parsed.difference_update_query(["sslmode"]).update_query_dict({"ssl": str(mode)})


def _with_driver(url: str, driver: str) -> URL:
    parsed = make_url(url)
    if parsed.get_backend_name() not in ("postgresql", "postgres"):
        raise ValueError(f"expected a postgresql:// database address, got {parsed.get_backend_name()}://")
    return parsed.set(drivername=driver)


@asynccontextmanager
async def connect(
    url: str,
    *,
    size: int = 10,
    raw_size: int = 10,
    longest: timedelta = LONGEST_WORK,
    patience: timedelta = PATIENCE,
) -> AsyncIterator[Database]:
    """Open the connections to the database at `url` and close them at the end.

    No statement takes longer than `longest`: the database gives it up, and if that is frozen, so do we, a little later.
    """
    seconds = longest.total_seconds()
    limits: dict[str, Any] = {
        "timeout": patience.total_seconds(),
        "command_timeout": seconds + FROZEN_SECONDS,
        "server_settings": {"statement_timeout": f"{seconds:.0f}s"},
    }
    engine = create_async_engine(
        sqlalchemy_url(url),
        connect_args=limits,
        pool_timeout=patience.total_seconds(),
        pool_size=size,
        max_overflow=size,
        pool_use_lifo=True,  # few connections do most of the work, so few have the statements at hand and in memory
        hide_parameters=True,  # else an error would write addresses and password hashes into the log
    )
    event.listen(engine.sync_engine, "checkout", _replace_if_closed)
    async with asyncpg.create_pool(plain_url(url), min_size=0, max_size=raw_size, reset=_as_it_is, **limits) as pool:
        try:
            yield Database(engine, pool)
        finally:
            await engine.dispose()


def _replace_if_closed(connection: Any, _record: object, _proxy: object) -> None:
    """A connection that Postgres has ended, say by a restart, is replaced before anybody uses it.

    The driver is told of the end, so nobody needs to ask; asking ("pre-ping") takes three round trips per use.
    """
    if connection.driver_connection.is_closed():
        raise DisconnectionError


async def _as_it_is(_connection: asyncpg.Connection) -> None:
    """Nothing of ours outlives a transaction on a connection (no SET, no session locks), so nothing must be undone.

    The default undoes it all, in one more round trip per use.
    """


@contextmanager
def hosted(settings: Settings) -> Iterator[str]:
    """The database's URL; the embedded Postgres, where it is needed, runs as long as this is open. Blocks."""
    private_folder(settings.data_dir)  # mails, keys and compiled code lie there also where the database lies elsewhere
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
        return
    cluster = Cluster(settings.data_dir / "postgres")
    url = cluster.acquire()
    try:
        yield url
    finally:
        cluster.release()


@asynccontextmanager
async def address(settings: Settings) -> AsyncIterator[str]:
    """The same for asynchronous code."""
    host = hosted(settings)
    url = await asyncio.to_thread(host.__enter__)
    try:
        yield url
    finally:
        await asyncio.to_thread(host.__exit__, None, None, None)


async def driver_of(session: AsyncSession) -> asyncpg.Connection:
    """The session's own connection, with its transaction open, for hand-written SQL."""
    await session.execute(select(1))  # only a statement really opens the transaction on the driver's connection
    raw = await (await session.connection()).get_raw_connection()
    assert raw.driver_connection is not None
    return raw.driver_connection
