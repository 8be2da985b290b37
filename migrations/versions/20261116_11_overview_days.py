"""Days kept for overviews, the parts of rating snapshots that pages show, and indexes for the pages of strategies."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from migrations.online import create_index_online

revision = "20261116_11"
down_revision = "20261116_10"
branch_labels = None
depends_on = None

PACKED = ("seats", "sheets", "judged")


def upgrade() -> None:
    # Indexes first: building them commits what stands before, and a migration that is broken off is begun again.
    create_index_online(
        "ix_judgements_about",
        "judgements",
        ["strategy", "at"],
        postgresql_include=["person_id", "verdict", "challenge", "enjoyment"],
    )
    create_index_online(
        "ix_questionnaire_sheets_profile",
        "questionnaire_sheets",
        ["person_id", "id"],
        postgresql_where=sa.text("match_id IS NULL"),
    )
    op.create_table(
        "overview_days",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        *(sa.Column(name, sa.LargeBinary, nullable=False) for name in PACKED),
        sa.PrimaryKeyConstraint("day", "game", name="pk_overview_days"),
    )
    for name in PACKED:  # read often and whole: compressing would cost more than it saves
        op.execute(f"ALTER TABLE overview_days ALTER COLUMN {name} SET STORAGE EXTERNAL")
    op.add_column("rating_snapshots", sa.Column("shown", JSONB))


def downgrade() -> None:
    op.drop_index("ix_questionnaire_sheets_profile")
    op.drop_index("ix_judgements_about")
    op.drop_column("rating_snapshots", "shown")
    op.drop_table("overview_days")
