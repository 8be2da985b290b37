"""Uploaded Prolog rule bases."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "20261116_10"
down_revision = "20261116_09"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rule_bases",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("script", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("playing", sa.Boolean, nullable=False),
        sa.Column("trial", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rule_bases"),
        sa.UniqueConstraint("name", name="uq_rule_bases_name"),
    )


def downgrade() -> None:
    op.drop_table("rule_bases")
