"""Questionnaires, answers, the judgement log, falsifier flags and findings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "20261116_03"
down_revision = "20261116_02"
branch_labels = None
depends_on = None

Moment = sa.DateTime(timezone=True)

# Answers point to the version they were given to, so what was published must stay what it was.
KEEP_PUBLISHED = """
CREATE FUNCTION keep_published_questionnaire() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.state <> 'draft' THEN
            RAISE EXCEPTION 'questionnaire version % was published and cannot be deleted', OLD.id;
        END IF;
        RETURN OLD;
    END IF;
    IF OLD.state <> 'draft' AND (NEW.content <> OLD.content OR NEW.number <> OLD.number OR NEW.purpose <> OLD.purpose
                                 OR NEW.state = 'draft') THEN
        RAISE EXCEPTION 'questionnaire version % was published and cannot be changed', OLD.id;
    END IF;
    RETURN NEW;
END $$
"""


def key() -> sa.Column[int]:
    return sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True)


def upgrade() -> None:
    op.create_table(
        "questionnaire_versions",
        key(),
        sa.Column("purpose", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("content", JSONB, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("published_at", Moment),
        sa.Column("retired_at", Moment),
        sa.PrimaryKeyConstraint("id", name="pk_questionnaire_versions"),
        sa.UniqueConstraint("purpose", "number", name="uq_questionnaire_versions_purpose_number"),
        sa.CheckConstraint(
            "state IN ('draft', 'published', 'retired')", name=op.f("ck_questionnaire_versions_state_known")
        ),
    )
    op.create_index(
        "uq_questionnaire_versions_published",
        "questionnaire_versions",
        ["purpose"],
        unique=True,
        postgresql_where=sa.text("state = 'published'"),
    )
    op.execute(KEEP_PUBLISHED)
    op.execute(
        "CREATE TRIGGER keep_published BEFORE UPDATE OR DELETE ON questionnaire_versions"
        " FOR EACH ROW EXECUTE FUNCTION keep_published_questionnaire()"
    )
    op.create_table(
        "questionnaire_sheets",
        key(),
        sa.Column("version_id", sa.BigInteger, nullable=False),
        sa.Column("person_id", sa.BigInteger, nullable=False),
        sa.Column("match_id", sa.BigInteger),
        sa.Column("seats", JSONB, nullable=False),
        sa.Column("opened_at", Moment, nullable=False),
        sa.Column("closes_at", Moment),
        sa.Column("finished_at", Moment),
        sa.Column("skipped_at", Moment),
        sa.Column("closed_at", Moment),
        sa.PrimaryKeyConstraint("id", name="pk_questionnaire_sheets"),
        sa.ForeignKeyConstraint(
            ["version_id"], ["questionnaire_versions.id"], name="fk_questionnaire_sheets_version_id"
        ),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name="fk_questionnaire_sheets_person_id"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_questionnaire_sheets_match_id"),
        sa.UniqueConstraint("match_id", "person_id", name="uq_questionnaire_sheets_match_id_person_id"),
    )
    op.create_index("ix_questionnaire_sheets_version_id", "questionnaire_sheets", ["version_id"])
    op.create_index("ix_questionnaire_sheets_person_id", "questionnaire_sheets", ["person_id"])
    op.create_index(
        "ix_questionnaire_sheets_open",
        "questionnaire_sheets",
        ["closes_at"],
        postgresql_where=sa.text("finished_at IS NULL AND skipped_at IS NULL AND closed_at IS NULL"),
    )
    op.create_table(
        "answers",
        key(),
        sa.Column("sheet_id", sa.BigInteger, nullable=False),
        sa.Column("item", sa.Text, nullable=False),
        sa.Column("seat", sa.SmallInteger),
        sa.Column("value", JSONB),
        sa.Column("shown_ms", sa.Integer),
        sa.Column("at", Moment, nullable=False),
        sa.Column("checked_at", Moment),
        sa.PrimaryKeyConstraint("id", name="pk_answers"),
        sa.ForeignKeyConstraint(["sheet_id"], ["questionnaire_sheets.id"], name="fk_answers_sheet_id"),
    )
    op.create_index("ix_answers_sheet_id", "answers", ["sheet_id", "item", "seat", "id"])
    op.create_table(
        "answer_codes",
        key(),
        sa.Column("answer_id", sa.BigInteger, nullable=False),
        sa.Column("coder", sa.Text, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_answer_codes"),
        sa.ForeignKeyConstraint(["answer_id"], ["answers.id"], name="fk_answer_codes_answer_id"),
        sa.CheckConstraint("code IN ('right', 'wrong', 'unclear')", name=op.f("ck_answer_codes_code_known")),
    )
    op.create_index("ix_answer_codes_answer_id", "answer_codes", ["answer_id", "coder", "id"])
    op.create_table(
        "judgements",
        key(),
        sa.Column("at", Moment, nullable=False),
        sa.Column("match_id", sa.BigInteger, nullable=False),
        sa.Column("person_id", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("strategy", sa.Text),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("sureness", sa.SmallInteger),
        sa.Column("challenge", sa.Text),
        sa.Column("enjoyment", sa.SmallInteger),
        sa.Column("marked_ply", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_judgements"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_judgements_match_id"),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name="fk_judgements_person_id"),
        sa.UniqueConstraint("match_id", "person_id", "seat", name="uq_judgements_match_id_person_id_seat"),
        sa.CheckConstraint(
            "verdict IN ('human', 'artificial', 'cannot tell')", name=op.f("ck_judgements_verdict_known")
        ),
        sa.CheckConstraint(
            "challenge IN ('not', 'somewhat', 'overstraining', 'unsure')", name=op.f("ck_judgements_challenge_known")
        ),
        sa.CheckConstraint("sureness BETWEEN 0 AND 100", name=op.f("ck_judgements_sureness_range")),
        sa.CheckConstraint("enjoyment BETWEEN 1 AND 5", name=op.f("ck_judgements_enjoyment_range")),
    )
    op.create_index("ix_judgements_person_id", "judgements", ["person_id"])
    op.create_index("ix_judgements_strategy", "judgements", ["strategy", "id"])
    op.create_table(
        "falsifier_flags",
        sa.Column("person_id", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("evidence", sa.Text, nullable=False),
        sa.Column("raised_at", Moment, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("decided_by", sa.Text),
        sa.Column("decided_at", Moment),
        sa.PrimaryKeyConstraint("person_id", "name", name="pk_falsifier_flags"),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name="fk_falsifier_flags_person_id"),
        sa.CheckConstraint("state IN ('raised', 'confirmed', 'lifted')", name=op.f("ck_falsifier_flags_state_known")),
    )
    op.create_table(
        "findings",
        key(),
        sa.Column("title", JSONB, nullable=False),
        sa.Column("body", JSONB, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("published_at", Moment),
        sa.PrimaryKeyConstraint("id", name="pk_findings"),
    )


def downgrade() -> None:
    for table in (
        "findings",
        "falsifier_flags",
        "judgements",
        "answer_codes",
        "answers",
        "questionnaire_sheets",
        "questionnaire_versions",
    ):
        op.drop_table(table)
    op.execute("DROP FUNCTION keep_published_questionnaire()")
