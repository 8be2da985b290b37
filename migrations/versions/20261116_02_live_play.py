"""Matches, moves, the lobby and what belongs to live play."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

revision = "20261116_02"
down_revision = "20261116_01"
branch_labels = None
depends_on = None

Moment = sa.DateTime(timezone=True)


def key() -> sa.Column[int]:
    return sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True)


def upgrade() -> None:
    op.create_table(
        "matches",
        key(),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("software", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("layout", sa.Text, nullable=False),
        sa.Column("dice_seed", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.Column("panel", JSONB, nullable=False),
        sa.Column("thinking", JSONB, nullable=False),
        sa.Column("clock_ms", sa.Integer, nullable=False),
        sa.Column("ask_ms", sa.Integer, nullable=False),
        sa.Column("grace_ms", sa.Integer, nullable=False),
        sa.Column("proposal_ms", sa.Integer, nullable=False),
        sa.Column("check_share", sa.Float, nullable=False),
        sa.Column("starts_at", Moment, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("to_act", sa.SmallInteger, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("turn_at", Moment, nullable=False),
        sa.Column("due_at", Moment),
        sa.Column("due", sa.Text),
        sa.Column("ended_at", Moment),
        sa.Column("scores", ARRAY(sa.Integer)),
        sa.Column("winners", ARRAY(sa.Integer)),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        postgresql_with={"fillfactor": 60},
    )
    op.create_index("ix_matches_running", "matches", ["id"], postgresql_where=sa.text("ended_at IS NULL"))
    op.create_table(
        "match_seats",
        sa.Column("match_id", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("person_id", sa.BigInteger),
        sa.Column("strategy", sa.Text),
        sa.Column("member", sa.SmallInteger),
        sa.Column("replaced_at", Moment),
        sa.Column("gone_at", Moment),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_match_seats"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_match_seats_match_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name="fk_match_seats_person_id"),
        sa.CheckConstraint("person_id IS NOT NULL OR strategy IS NOT NULL", name=op.f("ck_match_seats_somebody_sits")),
        sa.CheckConstraint("(strategy IS NULL) = (member IS NULL)", name=op.f("ck_match_seats_strategy_from_panel")),
    )
    op.create_index("ix_match_seats_person_id", "match_seats", ["person_id", "match_id"])
    op.create_table(
        "match_moves",
        sa.Column("match_id", sa.BigInteger, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("ms", sa.Integer, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "ply", name="pk_match_moves"),
    )
    op.create_table(
        "match_events",
        key(),
        sa.Column("match_id", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("details", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_match_events"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_match_events_match_id", ondelete="CASCADE"),
    )
    op.create_index("ix_match_events_match_id", "match_events", ["match_id"])
    op.create_table(
        "interaction_batches",
        sa.Column("match_id", sa.BigInteger, nullable=False),
        sa.Column("person_id", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "person_id", "number", name="pk_interaction_batches"),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_interaction_batches_match_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name="fk_interaction_batches_person_id"),
    )
    op.create_table(
        "lobby_places",
        sa.Column("person_id", sa.BigInteger, nullable=False),
        sa.Column("since", Moment, nullable=False),
        sa.Column("due_at", Moment, nullable=False),
        sa.Column("beat_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("person_id", name="pk_lobby_places"),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name="fk_lobby_places_person_id", ondelete="CASCADE"),
    )
    op.create_table(
        "live_processes",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("beat_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_live_processes"),
    )
    op.create_table(
        "seat_connections",
        sa.Column("match_id", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("process_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", "process_id", name="pk_seat_connections"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_seat_connections_match_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["process_id"], ["live_processes.id"], name="fk_seat_connections_process_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_seat_connections_process_id", "seat_connections", ["process_id"])
    op.create_table(
        "thinking_models",
        key(),
        sa.Column("fitted_at", Moment, nullable=False),
        sa.Column("parameters", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_thinking_models"),
    )


def downgrade() -> None:
    for table in (
        "thinking_models",
        "seat_connections",
        "live_processes",
        "lobby_places",
        "interaction_batches",
        "match_events",
        "match_moves",
        "match_seats",
        "matches",
    ):
        op.drop_table(table)
