"""Models and migrations say the same, and the migrations are one dated chain."""

from __future__ import annotations

import re
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from server.base.domains import domain_modules
from server.storage.database import Base, Database
from server.storage.migrate import _config, migrate, newest_revision

FOREIGN = "pgqueuer"
"""The queue's tables have no models: they belong to the library, which also checks them."""


def differences(connection: Connection) -> list[Any]:
    domain_modules("models")

    def ours(name: str | None, kind: str, _: object) -> bool:
        return not (kind == "table" and (name or "").startswith(FOREIGN))

    options = {"include_name": ours, "compare_type": True}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), Base.metadata))


async def test_the_migrations_build_what_the_models_describe(database: Database) -> None:
    async with database.engine.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_a_missing_column_would_be_noticed(database: Database) -> None:
    async with database.engine.connect() as connection:
        await connection.exec_driver_sql("ALTER TABLE accounts DROP COLUMN language")
        (found,) = await connection.run_sync(differences)
        assert found[0] == "add_column"
        await connection.rollback()


def test_the_chain_is_linear_and_dated() -> None:
    script = ScriptDirectory.from_config(_config())
    revisions = list(script.walk_revisions())
    assert script.get_heads() == [newest_revision()]
    assert not [revision.revision for revision in revisions if revision.is_merge_point or revision.is_branch_point]
    names = [revision.revision for revision in revisions]
    assert names == sorted(names, reverse=True), "later ones have later names"
    assert all(re.fullmatch(r"\d{8}_\d{2}", name) for name in names)


async def test_migrating_twice_changes_nothing(database: Database, database_url: str) -> None:
    import asyncio

    async def tables() -> list[str]:
        async with database.engine.connect() as connection:
            return sorted(await connection.run_sync(lambda sync: inspect(sync).get_table_names()))

    before = await tables()
    await asyncio.to_thread(migrate, database_url)
    assert await tables() == before


def test_relationships_never_load_by_themselves() -> None:
    domain_modules("models")
    lazy = [
        f"{mapper.class_.__name__}.{relationship.key}"
        for mapper in Base.registry.mappers
        for relationship in mapper.relationships
        if relationship.lazy != "raise"
    ]
    assert not lazy, "a query says what it loads"
