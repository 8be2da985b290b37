"""Who gave each answer, per day: shares of answers need intervals by person."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "20261116_16"
down_revision = "20261116_15"
branch_labels = None
depends_on = None

PACKED = ("answer_givers", "pair_givers")


def upgrade() -> None:
    for name in PACKED:  # empty in the days of before, which are therefore kept anew
        op.add_column("overview_days", sa.Column(name, sa.LargeBinary))
        op.execute(f"ALTER TABLE overview_days ALTER COLUMN {name} SET STORAGE EXTERNAL")


def downgrade() -> None:
    for name in PACKED:
        op.drop_column("overview_days", name)
