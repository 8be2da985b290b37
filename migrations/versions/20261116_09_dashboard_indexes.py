"""Indexes for the researchers' overviews."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.online import create_index_online

revision = "20261116_09"
down_revision = "20261116_08"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index_online("ix_persons_created_at", "persons", ["created_at"])
    create_index_online("ix_matches_created_at", "matches", ["created_at"], postgresql_include=["id", "game"])
    create_index_online(
        "ix_match_seats_replaced", "match_seats", ["match_id"], postgresql_where=sa.text("replaced_at IS NOT NULL")
    )
    create_index_online(
        "ix_match_seats_strategy",
        "match_seats",
        ["strategy", "match_id"],
        postgresql_where=sa.text("person_id IS NULL"),
    )
    create_index_online("ix_match_events_seated", "match_events", ["at"], postgresql_where=sa.text("kind = 'seated'"))
    create_index_online(
        "ix_questionnaire_sheets_opened_at",
        "questionnaire_sheets",
        ["opened_at"],
        postgresql_include=["match_id", "person_id", "finished_at", "skipped_at", "closed_at"],
        postgresql_where=sa.text("match_id IS NOT NULL"),
    )
    create_index_online("ix_judgements_at", "judgements", ["at"], postgresql_include=["person_id", "match_id"])
    create_index_online(
        "ix_judgements_course", "judgements", ["person_id", "id"], postgresql_include=["strategy", "verdict"]
    )
    create_index_online("ix_round_members_strategy", "round_members", ["strategy"])


def downgrade() -> None:
    for name in (
        "ix_round_members_strategy",
        "ix_judgements_course",
        "ix_judgements_at",
        "ix_questionnaire_sheets_opened_at",
        "ix_match_events_seated",
        "ix_match_seats_strategy",
        "ix_match_seats_replaced",
        "ix_matches_created_at",
        "ix_persons_created_at",
    ):
        op.drop_index(name)
