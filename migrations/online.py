"""Steps that leave the serving version in peace: how a migration changes tables that have data in them already."""

from __future__ import annotations

from typing import Any

from alembic import op
from sqlalchemy import Connection, TextClause, text

PATIENCE = {"lock_timeout": "5s", "statement_timeout": "10min"}
"""Whoever waits for a lock makes everybody behind it wait too, so migrations rather fail and are tried again."""
VALID = text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")


def be_patient(connection: Connection, patience: dict[str, str]) -> None:
    for name, value in patience.items():
        connection.execute(text("SELECT set_config(:name, :value, false)"), {"name": name, "value": value})


def create_index_online(name: str, table: str, columns: list[str] | list[TextClause], **options: Any) -> None:
    """Build an index while others write to the table. Can be repeated: what a broken attempt left is built anew.

    It waits for every transaction that is under way, an export or a backup perhaps, but nobody waits for it meanwhile;
    so it may take its time.
    """
    with op.get_context().autocommit_block():
        connection = op.get_bind()
        valid = connection.scalar(VALID, {"name": name})
        if valid:
            return
        be_patient(connection, dict.fromkeys(PATIENCE, "0"))
        if valid is False:
            op.drop_index(name, table_name=table, postgresql_concurrently=True)
        op.create_index(name, table, columns, postgresql_concurrently=True, **options)
        be_patient(connection, PATIENCE)


LIVING = text("SELECT count(*) FROM live_processes WHERE abs(extract(epoch FROM now() - beat_at)) < 5")


def refuse_while_servers_live() -> None:
    """For a step that the previous version cannot live with: its servers say every second that they are alive."""
    living = op.get_bind().scalar(LIVING)
    if living:
        raise RuntimeError(f"stop the servers before this upgrade: {living} of the previous version still run")
