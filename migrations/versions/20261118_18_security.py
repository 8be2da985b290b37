"""A second factor, what a log-in was seen with, counted security events, and signs of second accounts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "20261118_18"
down_revision = "20261118_17"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("second_factor", sa.Text))
    op.add_column("accounts", sa.Column("second_factor_step", sa.BigInteger))
    op.add_column("accounts", sa.Column("recovery_codes", JSONB, nullable=False, server_default=sa.text("'[]'")))
    op.add_column("account_sessions", sa.Column("seen_at", sa.DateTime(timezone=True)))
    op.add_column("account_sessions", sa.Column("proved_at", sa.DateTime(timezone=True)))
    op.add_column("account_sessions", sa.Column("device", sa.Text))
    op.create_table(
        "security_events",
        sa.Column("hour", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("times", sa.BigInteger, nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hour", "kind", "subject", name="pk_security_events"),
    )
    op.create_table(
        "login_marks",
        sa.Column("account_id", sa.BigInteger, nullable=False),
        sa.Column("mark", sa.LargeBinary, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "mark", name="pk_login_marks"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_login_marks_account_id", ondelete="CASCADE"),
    )
    op.create_index("ix_login_marks_mark", "login_marks", ["mark"])


def downgrade() -> None:
    op.drop_table("login_marks")
    op.drop_table("security_events")
    for column in ("device", "proved_at", "seen_at"):
        op.drop_column("account_sessions", column)
    for column in ("recovery_codes", "second_factor_step", "second_factor"):
        op.drop_column("accounts", column)
