"""Files that workers build for people who take their own data away."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "20261118_19"
down_revision = "20261118_18"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "downloads",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), nullable=False),
        sa.Column("account_id", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ready_at", sa.DateTime(timezone=True)),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_downloads"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_downloads_account_id", ondelete="CASCADE"),
        sa.UniqueConstraint("account_id", "kind", name="uq_downloads_account_id_kind"),
    )
    op.create_table(
        "download_pieces",
        sa.Column("download_id", sa.BigInteger, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("download_id", "number", name="pk_download_pieces"),
        sa.ForeignKeyConstraint(
            ["download_id"], ["downloads.id"], name="fk_download_pieces_download_id", ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    op.drop_table("download_pieces")
    op.drop_table("downloads")
