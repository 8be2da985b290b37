"""Snapshots of ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "20261116_07"
down_revision = "20261116_06"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rating_snapshots",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), nullable=False),
        sa.Column("computed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("log_position", sa.BigInteger, nullable=False),
        sa.Column("judgements", sa.BigInteger, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("settings", JSONB, nullable=False),
        sa.Column("left_out", JSONB, nullable=False),
        sa.Column("software", sa.Text, nullable=False),
        sa.Column("record", JSONB, nullable=False),
        sa.Column("groups", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rating_snapshots"),
        sa.UniqueConstraint("log_position", "fingerprint", name="uq_rating_snapshots_log_position_fingerprint"),
    )
    op.create_index("ix_rating_snapshots_fingerprint", "rating_snapshots", ["fingerprint", "log_position"])


def downgrade() -> None:
    op.drop_table("rating_snapshots")
