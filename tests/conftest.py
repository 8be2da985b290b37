"""Fixtures for every test that needs the server: one Postgres per run, one migrated template, a fresh copy per test.

- `postgres_url`  URL of the run's embedded Postgres (session)
- `database_url`  URL of a fresh, migrated database
- `settings`      settings for that database, with a private data folder
- `database`      connections to it (`Database`)
- `session`       an ORM session on it; call `await session.commit()` to let others see what you wrote
- `app`, `client` the app, started, and an httpx client that keeps cookies and sends the CSRF token by itself
- `sign_in`       `account = await sign_in("researcher")` logs the client in as a new account of that role
- `live_server`   a real server process on a free port; `live_server.url`
- `clock`         a clock that stands still until told to advance
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Protocol

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import httpx
import pytest
from argon2 import PasswordHasher
from fastapi import FastAPI
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pydantic import SecretStr
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts import passwords
from server.accounts.models import Account
from server.app import create_app
from server.base.clock import ManualClock, use_clock
from server.base.settings import Settings
from server.storage.database import Database, connect
from server.storage.migrate import migrate
from server.storage.postgres import Cluster
from tests.databases import copy_database, drop_database
from tests.people import log_in, new_account
from tests.servers import PATIENCE, LiveServer, PageClient, running_server

TEMPLATE = "grintu_template"
BASE_URL = "http://testserver.local"
WHILE_BUSY = timedelta(seconds=PATIENCE)
"""A connection may take so long: many tests run beside each other."""
SECRET = "a secret for tests that is long enough to be taken"

hypothesis_settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("patient")  # a busy machine may hold up any example


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with long tests come first: begun last, one of them would keep a single process busy at the end."""
    long = {item.path for item in items if any(item.iter_markers("long")) or any(item.iter_markers("browser"))}
    items.sort(key=lambda item: item.path not in long)


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hashing is slow on purpose; here it is the same algorithm with the smallest cost."""
    genuine = passwords._hasher
    passwords._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    yield
    passwords._hasher = genuine


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    cluster = Cluster(tmp_path_factory.mktemp("postgres"), throwaway=True)
    yield cluster.acquire()
    cluster.release()


@pytest.fixture(scope="session")
def template(postgres_url: str) -> str:
    """A database that was built by the migrations and is only copied from then on."""

    async def create() -> None:
        connection = await asyncpg.connect(postgres_url)
        await connection.execute(f'CREATE DATABASE "{TEMPLATE}"')
        await connection.close()

    asyncio.run(create())
    migrate(_named(postgres_url, TEMPLATE))
    return TEMPLATE


@pytest.fixture
async def database_url(postgres_url: str, template: str) -> AsyncIterator[str]:
    name = f"test_{uuid.uuid4().hex}"
    connection = await asyncpg.connect(postgres_url)
    await copy_database(connection, name, template)
    yield _named(postgres_url, name)
    await drop_database(connection, name)
    await connection.close()


def _named(url: str, name: str) -> str:
    return make_url(url).set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(
        _env_file=None,
        secret_key=SecretStr(SECRET),
        database_url=SecretStr(database_url),
        data_dir=tmp_path / "data",
        base_url=BASE_URL,
        database_patience=WHILE_BUSY,
    )


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    async with connect(database_url, size=3, raw_size=3, patience=WHILE_BUSY) as opened:
        yield opened


@pytest.fixture
async def session(database: Database) -> AsyncIterator[AsyncSession]:
    async with database.sessions() as opened:
        yield opened


@pytest.fixture
async def app(settings: Settings) -> AsyncIterator[FastAPI]:
    made = create_app(settings)
    async with made.router.lifespan_context(made):
        yield made


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[PageClient]:
    async with PageClient(transport=httpx.ASGITransport(app), base_url=BASE_URL) as opened:
        yield opened


class SignIn(Protocol):
    async def __call__(
        self, role: str = "proband", *, client: PageClient | None = None, consenting: bool = True
    ) -> Account: ...


@pytest.fixture
def sign_in(client: PageClient, database: Database, settings: Settings) -> SignIn:
    main = client

    async def enter(role: str = "proband", *, client: PageClient | None = None, consenting: bool = True) -> Account:
        account = await new_account(database, role, consenting=consenting)
        await log_in(client or main, database, settings, account)
        return account

    return enter


@pytest.fixture
def live_server(settings: Settings) -> Iterator[LiveServer]:
    with running_server(settings) as server:
        yield server


@pytest.fixture
def clock() -> Iterator[ManualClock]:
    manual = ManualClock()
    with use_clock(manual):
        yield manual
