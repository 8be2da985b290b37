"""Any game: references instead of names and boards, players by kind, sealed moves, stored decisions, data by game.

Matches, panels and rounds of before are written in the new words, which the previous version cannot read: this step
needs its servers to be stopped, and refuses while one of them is still alive.
"""

from __future__ import annotations

import hashlib
import re

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from migrations.online import refuse_while_servers_live

revision = "20261118_17"
down_revision = "20261116_16"
branch_labels = None
depends_on = None

FIRST = "jostle:standard"
"""The game of all that was written before there were others. (What was played on another board said so itself.)"""

# `jostle` with the board `standard`, or `jostle:NAME`; other games never had tables.
REFERENCES = "UPDATE {table} SET game = 'jostle:standard' WHERE game = 'jostle'"

# A rule base that had only stood in could be deleted, because it had signed with its script and not with its name. Its
# script is left where it stood in; no name of a strategy has a line end.
GONE = """
SELECT script FROM (
    SELECT member ->> 'strategy' AS script FROM matches, jsonb_array_elements(panel) AS members(member)
    UNION SELECT strategy FROM match_seats WHERE strategy IS NOT NULL
) AS texts
WHERE position(chr(10) IN script) > 0 AND NOT EXISTS (SELECT FROM rule_bases WHERE rule_bases.script = texts.script)
"""
SCRIPTS = """
CREATE TEMPORARY TABLE scripts ON COMMIT DROP AS
SELECT DISTINCT ON (script) script, name FROM rule_bases ORDER BY script, id DESC
"""

# A member of a panel was a strategy's name or a rule base's whole script; now it is a text with its kind, and a name.
PANELS = """
UPDATE matches SET panel = (
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'player', CASE WHEN base.name IS NULL THEN 'composed:' || (member ->> 'strategy')
                  ELSE 'prolog:' || (member ->> 'strategy') END,
        'name', coalesce(base.name, member ->> 'strategy'),
        'seed', member ->> 'seed') ORDER BY place), '[]')
    FROM jsonb_array_elements(panel) WITH ORDINALITY AS members(member, place)
    LEFT JOIN scripts AS base ON base.script = member ->> 'strategy')
"""

# Rule bases that stood in for a person signed with their whole script.
SIGNED = """
UPDATE match_seats s SET strategy = base.name FROM scripts AS base WHERE s.strategy = base.script
"""


def upgrade() -> None:
    refuse_while_servers_live()
    op.execute(REFERENCES.format(table="matches"))
    op.execute(REFERENCES.format(table="rounds"))
    _name_scripts()
    op.execute(PANELS)
    op.execute(SIGNED)
    op.execute("DELETE FROM pgqueuer WHERE entrypoint = 'ratings.compute'")  # of no game; the next minute asks anew
    op.drop_column("matches", "layout")
    op.add_column("matches", sa.Column("secret", sa.LargeBinary))
    op.execute("UPDATE matches SET secret = dice_seed")  # running matches keep the deadlines that were drawn
    op.alter_column("matches", "secret", nullable=False)
    _add("matches", sa.Column("programs_think", sa.Text, nullable=False), "browsers")
    op.add_column("matches", sa.Column("due_seat", sa.SmallInteger))
    op.execute("UPDATE matches SET due_seat = to_act WHERE to_act >= 0 AND ended_at IS NULL")
    op.add_column("matches", sa.Column("sealed", sa.SmallInteger, nullable=False, server_default="0"))
    op.create_table(
        "sealed_moves",
        sa.Column("match_id", sa.BigInteger, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("ms", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "ply", "seat", name="pk_sealed_moves"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_sealed_moves_match_id", ondelete="CASCADE"),
    )
    op.create_table(
        "match_decisions",
        sa.Column("match_id", sa.BigInteger, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("decision", JSONB, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "ply", "seat", name="pk_match_decisions"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_match_decisions_match_id", ondelete="CASCADE"),
    )
    op.create_table(
        "game_sources",
        sa.Column("reference", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("reference", name="pk_game_sources"),
    )
    op.execute("DELETE FROM lobby_places")  # nobody waits while no server runs
    op.add_column("lobby_places", sa.Column("game", sa.Text, nullable=False))
    op.add_column("lobby_places", sa.Column("company", sa.SmallInteger, nullable=False))

    op.add_column("judgements", sa.Column("game", sa.Text))
    op.execute("UPDATE judgements j SET game = m.game FROM matches m WHERE m.id = j.match_id")
    op.alter_column("judgements", "game", nullable=False)
    op.drop_index("ix_judgements_strategy", table_name="judgements")
    op.create_index("ix_judgements_strategy", "judgements", ["game", "strategy", "id"])
    op.create_index("ix_judgements_game", "judgements", ["game", "id"])
    op.drop_index("ix_judgements_at", table_name="judgements")
    op.create_index("ix_judgements_at", "judgements", ["at"], postgresql_include=["person_id", "match_id", "game"])
    op.drop_index("ix_judgements_course", table_name="judgements")
    op.create_index(
        "ix_judgements_course",
        "judgements",
        ["person_id", "id"],
        postgresql_include=["game", "strategy", "verdict"],
    )
    op.drop_index("ix_judgements_about", table_name="judgements")
    op.create_index(
        "ix_judgements_about",
        "judgements",
        ["game", "strategy", "at"],
        postgresql_include=["person_id", "verdict", "challenge", "enjoyment"],
    )
    _add("rating_snapshots", sa.Column("game", sa.Text, nullable=False), FIRST)
    op.drop_constraint("uq_rating_snapshots_log_position_fingerprint", "rating_snapshots")
    op.create_unique_constraint(
        "uq_rating_snapshots_game_log_position_fingerprint", "rating_snapshots", ["game", "log_position", "fingerprint"]
    )
    op.drop_index("ix_rating_snapshots_fingerprint", table_name="rating_snapshots")
    op.create_index("ix_rating_snapshots_fingerprint", "rating_snapshots", ["game", "fingerprint", "log_position"])
    _add("thinking_models", sa.Column("game", sa.Text, nullable=False), FIRST)
    _add("rule_bases", sa.Column("game", sa.Text, nullable=False), FIRST)
    op.execute("DELETE FROM overview_days")  # kept days are counted by reference; they are kept anew


def _name_scripts() -> None:
    """Give every script that plays somewhere the name of its rule base, or one of its own if that was deleted."""
    connection = op.get_bind()
    op.execute(SCRIPTS)
    for script in connection.scalars(sa.text(GONE)).all():
        values = {"script": script, "name": _name_of_gone(script)}
        connection.execute(sa.text("INSERT INTO scripts (script, name) VALUES (:script, :name)"), values)


def _name_of_gone(script: str) -> str:
    """Its title, as rule bases have it, and what tells it from others of the same title."""
    title = re.search(r"^%+ *(\S.*)$", script, re.MULTILINE)
    printable = "".join(filter(str.isprintable, title[1])).strip()[:60] if title else ""
    return f"{printable or 'Prolog rule base'} (deleted rule base {hashlib.sha256(script.encode()).hexdigest()[:8]})"


def _add(table: str, column: sa.Column[str], value: str) -> None:
    """A column that all rows of before have the same value in, and new ones must name."""
    column.server_default = sa.DefaultClause(sa.literal(value))
    op.add_column(table, column)
    op.alter_column(table, column.name, server_default=None)


def downgrade() -> None:
    raise NotImplementedError("there is no way back from here; restore a backup")
