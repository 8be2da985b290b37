"""Answers counted per day, and an index to find the free ones."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from migrations.online import create_index_online

revision = "20261116_13"
down_revision = "20261116_12"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index_online("ix_answers_item", "answers", ["item", "id"])  # first, because it commits what stands before
    op.add_column("overview_days", sa.Column("answers", JSONB))
    op.execute("DELETE FROM overview_days")  # days are kept anew, with their answers


def downgrade() -> None:
    op.drop_index("ix_answers_item")
    op.drop_column("overview_days", "answers")
