"""Notices before personal data are deleted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "20261116_06"
down_revision = "20261116_05"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "retention_notices",
        sa.Column("account_id", sa.BigInteger, nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("account_id", name="pk_retention_notices"),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_retention_notices_account_id", ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    op.drop_table("retention_notices")
