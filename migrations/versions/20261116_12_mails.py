"""Mails that wait for their delivery."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "20261116_12"
down_revision = "20261116_11"
branch_labels = None
depends_on = None

Moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "mails",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), nullable=False),
        sa.Column("account_id", sa.BigInteger, nullable=False),
        sa.Column("occasion", sa.Text, nullable=False),
        sa.Column("recipient", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("due_at", Moment),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("error", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_mails"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_mails_account_id", ondelete="CASCADE"),
    )
    op.create_index("ix_mails_due_at", "mails", ["due_at"])
    op.create_index("ix_mails_account_id", "mails", ["account_id"])


def downgrade() -> None:
    op.drop_table("mails")
