"""One study for all tests that only read it: filled once, and copied like the template it was made from."""

from __future__ import annotations

import asyncio

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import pytest
from sqlalchemy.engine import make_url

from server.storage.database import connect
from tests.databases import copy_database
from tests.server.dashboards.study import fill

STUDY = "dashboards_study"


@pytest.fixture(scope="session")
def template(postgres_url: str, template: str) -> str:
    """Every test here gets a copy of a filled database instead of an empty one."""

    async def create() -> None:
        connection = await asyncpg.connect(postgres_url)
        await copy_database(connection, STUDY, template)
        await connection.close()
        url = make_url(postgres_url).set(database=STUDY).render_as_string(hide_password=False)
        async with connect(url, size=2, raw_size=2) as database:
            await fill(database)

    asyncio.run(create())
    return STUDY
