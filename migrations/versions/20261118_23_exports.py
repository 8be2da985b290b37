"""Exports that workers make for researchers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "20261118_23"
down_revision = "20261118_22"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "exports",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), nullable=False),
        sa.Column("account_id", sa.BigInteger, nullable=False),
        sa.Column("wanted", JSONB, nullable=False),
        sa.Column("by_mail", sa.Boolean, nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("steps_done", sa.BigInteger, nullable=False),
        sa.Column("steps", sa.BigInteger, nullable=False),
        sa.Column("rows", sa.BigInteger, nullable=False),
        sa.Column("ready_at", sa.DateTime(timezone=True)),
        sa.Column("failed_at", sa.DateTime(timezone=True)),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_exports"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_exports_account_id", ondelete="CASCADE"),
        sa.UniqueConstraint("account_id", name="uq_exports_account_id"),
    )
    op.create_table(
        "export_pieces",
        sa.Column("export_id", sa.BigInteger, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("export_id", "number", name="pk_export_pieces"),
        sa.ForeignKeyConstraint(["export_id"], ["exports.id"], name="fk_export_pieces_export_id", ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("export_pieces")
    op.drop_table("exports")
