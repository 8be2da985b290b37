"""The queue of background jobs. Its tables belong to pgqueuer, which also writes their definition."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from pgqueuer.adapters.persistence.schema_ddl import render_install, render_uninstall
from pgqueuer.domain.settings import DBSettings

revision = "20261116_05"
down_revision = "20261116_04"
branch_labels = None
depends_on = None


def run(script: str) -> None:
    """Several statements at once need the driver's own connection, in the migration's transaction."""
    op.execute("SELECT 1")  # only a statement through SQLAlchemy really opens the transaction
    connection = op.get_bind().connection.dbapi_connection
    assert connection is not None
    connection.run_async(lambda driver: driver.execute(script))


def upgrade() -> None:
    run(render_install(DBSettings()))
    op.create_table(
        "worker_heartbeats",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_worker_heartbeats"),
    )


def downgrade() -> None:
    op.drop_table("worker_heartbeats")
    run(render_uninstall(DBSettings()))
