"""An index of the words in answers, so that searching free texts does not read all of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.online import create_index_online

revision = "20261116_15"
down_revision = "20261116_14"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index_online(
        "ix_answers_words",
        "answers",
        [sa.text("to_tsvector('simple', value #>> '{}')")],
        postgresql_using="gin",
        postgresql_where=sa.text("jsonb_typeof(value) = 'string'"),
    )


def downgrade() -> None:
    op.drop_index("ix_answers_words")
