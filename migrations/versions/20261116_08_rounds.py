"""Refinement rounds, their steps and their populations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "20261116_08"
down_revision = "20261116_07"
branch_labels = None
depends_on = None

Moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "rounds",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("settings", JSONB, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("state", JSONB, nullable=False),
        sa.Column("schedule", sa.Text, nullable=False),
        sa.Column("step_at", Moment),
        sa.Column("ended_at", Moment),
        sa.Column("looked_at", Moment),
        sa.Column("log_position", sa.BigInteger, nullable=False),
        sa.Column("waiting", JSONB, nullable=False),
        sa.Column("lacking", JSONB, nullable=False),
        sa.Column("progress", JSONB, nullable=False),
        sa.Column("simulation", JSONB),
        sa.Column("sessions", sa.Integer, nullable=False),
        sa.Column("session_position", sa.BigInteger, nullable=False),
        sa.Column("waits", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rounds"),
        sa.CheckConstraint("status IN ('running', 'paused', 'cancelled', 'done')", name=op.f("ck_rounds_status_known")),
        sa.CheckConstraint("schedule IN ('satisfied', 'at', 'held')", name=op.f("ck_rounds_schedule_known")),
        sa.CheckConstraint("(schedule = 'at') = (step_at IS NOT NULL)", name=op.f("ck_rounds_time_if_scheduled_at")),
    )
    op.create_index(
        "uq_rounds_active_game",
        "rounds",
        ["game"],
        unique=True,
        postgresql_where=sa.text("status IN ('running', 'paused')"),
    )
    op.create_table(
        "round_steps",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True), nullable=False),
        sa.Column("round_id", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("log_position", sa.BigInteger, nullable=False),
        sa.Column("basis", JSONB, nullable=False),
        sa.Column("decisions", JSONB, nullable=False),
        sa.Column("state", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_round_steps"),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_round_steps_round_id", ondelete="CASCADE"),
        sa.UniqueConstraint("round_id", "number", name="uq_round_steps_round_id_number"),
    )
    op.create_table(
        "round_members",
        sa.Column("round_id", sa.BigInteger, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("strategy", sa.Text, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("parents", JSONB, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("round_id", "step", "strategy", name="pk_round_members"),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_round_members_round_id", ondelete="CASCADE"),
    )


def downgrade() -> None:
    for table in ("round_members", "round_steps", "rounds"):
        op.drop_table(table)
