"""Accounts, sessions, audit log, rate limits, consents and study settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "20261116_01"
down_revision = None
branch_labels = None
depends_on = None

Moment = sa.DateTime(timezone=True)


def key() -> sa.Column[int]:
    return sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True)


def upgrade() -> None:
    op.create_table(
        "persons",
        key(),
        sa.Column("pseudonym", sa.Text, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_persons"),
        sa.UniqueConstraint("pseudonym", name="uq_persons_pseudonym"),
    )
    op.create_table(
        "accounts",
        key(),
        sa.Column("person_id", sa.BigInteger, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("confirmed_at", Moment),
        sa.Column("last_login_at", Moment),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name="fk_accounts_person_id"),
        sa.UniqueConstraint("person_id", name="uq_accounts_person_id"),
        sa.UniqueConstraint("email", name="uq_accounts_email"),
        sa.CheckConstraint("role IN ('proband', 'researcher', 'admin')", name=op.f("ck_accounts_role_known")),
    )
    op.create_table(
        "account_sessions",
        key(),
        sa.Column("account_id", sa.BigInteger, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_account_sessions"),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_account_sessions_account_id", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("token_hash", name="uq_account_sessions_token_hash"),
    )
    op.create_index("ix_account_sessions_account_id", "account_sessions", ["account_id"])
    op.create_table(
        "audit_log",
        key(),
        sa.Column("at", Moment, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("details", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_log"),
    )
    op.create_index("ix_audit_log_at", "audit_log", ["at"])
    op.create_table(
        "rate_limits",
        sa.Column("bucket", sa.Text, nullable=False),
        sa.Column("permits", sa.Float, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("bucket", name="pk_rate_limits"),
    )
    op.create_table(
        "consent_texts",
        key(),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("texts", JSONB, nullable=False),
        sa.Column("published_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_consent_texts"),
        sa.UniqueConstraint("kind", "version", name="uq_consent_texts_kind_version"),
    )
    op.create_table(
        "consents",
        key(),
        sa.Column("person_id", sa.BigInteger, nullable=False),
        sa.Column("text_id", sa.BigInteger, nullable=False),
        sa.Column("given", sa.Boolean, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_consents"),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name="fk_consents_person_id"),
        sa.ForeignKeyConstraint(["text_id"], ["consent_texts.id"], name="fk_consents_text_id"),
    )
    op.create_index("ix_consents_person_id", "consents", ["person_id"])
    op.create_table(
        "study_settings",
        key(),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", JSONB, nullable=False),
        sa.Column("changed_by", sa.Text, nullable=False),
        sa.Column("changed_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_study_settings"),
    )
    op.create_index("ix_study_settings_name", "study_settings", ["name", "id"])


def downgrade() -> None:
    for table in (
        "study_settings",
        "consents",
        "consent_texts",
        "rate_limits",
        "audit_log",
        "account_sessions",
        "accounts",
        "persons",
    ):
        op.drop_table(table)
