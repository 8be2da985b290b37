"""Tournaments of programs and their challenges."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "20261118_21"
down_revision = "20261118_20"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("entrants", JSONB, nullable=False),
        sa.Column("form", sa.Text, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("precision", sa.Float, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("turn", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.CheckConstraint(
            "status IN ('running', 'paused', 'cancelled', 'done')", name=op.f("ck_tournaments_status_known")
        ),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_table(
        "tournament_challenges",
        sa.Column("tournament_id", sa.BigInteger, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("entrants", JSONB, nullable=False),
        sa.Column("world", sa.Integer, nullable=False),
        sa.Column("sums", JSONB),
        sa.Column("matches", JSONB),
        sa.Column("played_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_tournament_challenges"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_tournament_challenges_tournament_id", ondelete="CASCADE"
        ),
    )
    op.create_index(
        "ix_tournament_challenges_waiting",
        "tournament_challenges",
        ["tournament_id"],
        postgresql_where=sa.text("played_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_table("tournament_challenges")
    op.drop_table("tournaments")
