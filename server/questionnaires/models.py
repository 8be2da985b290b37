"""Tables of questionnaires. Published versions never change; answers and codes are only appended to."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, SmallInteger, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from server.storage.database import Base, CreatedAt, Key


class State(StrEnum):
    DRAFT = "draft"
    PUBLISHED = "published"
    RETIRED = "retired"


class Code(StrEnum):
    """How a researcher reads a half-open answer."""

    RIGHT = "right"
    WRONG = "wrong"
    UNCLEAR = "unclear"


class QuestionnaireVersion(Base):
    """One version of one questionnaire. A trigger keeps the content of what was published as it is."""

    __tablename__ = "questionnaire_versions"
    __table_args__ = (
        UniqueConstraint("purpose", "number"),
        CheckConstraint("state IN ('draft', 'published', 'retired')", name="state_known"),
        Index(
            "uq_questionnaire_versions_published",
            "purpose",
            unique=True,
            postgresql_where=text("state = 'published'"),
        ),
    )

    id: Mapped[Key]
    purpose: Mapped[str] = mapped_column(Text)
    number: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(Text, default=State.DRAFT.value)
    content: Mapped[dict[str, Any]]
    author: Mapped[str] = mapped_column(Text)
    created_at: Mapped[CreatedAt]
    published_at: Mapped[datetime | None]
    retired_at: Mapped[datetime | None]


class Sheet(Base):
    """A person's questionnaire about a match, or about him- or herself; it stays with the version it was opened in."""

    __tablename__ = "questionnaire_sheets"
    __table_args__ = (
        UniqueConstraint("match_id", "person_id"),
        Index("ix_questionnaire_sheets_person_id", "person_id"),
        Index(
            "ix_questionnaire_sheets_open",
            "closes_at",
            postgresql_where=text("finished_at IS NULL AND skipped_at IS NULL AND closed_at IS NULL"),
        ),
    )

    id: Mapped[Key]
    version_id: Mapped[int] = mapped_column(ForeignKey("questionnaire_versions.id"), index=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"))
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id"))
    seats: Mapped[list[Any]]
    """The seats that are asked about: all that this person met, stand-ins or not."""
    opened_at: Mapped[CreatedAt]
    closes_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    skipped_at: Mapped[datetime | None]
    closed_at: Mapped[datetime | None]
    """When an unfinished sheet's time was over; what had been answered by then counts."""

    version: Mapped[QuestionnaireVersion] = relationship(lazy="raise")

    @property
    def is_open(self) -> bool:
        return self.finished_at is None and self.skipped_at is None and self.closed_at is None


class Answer(Base):
    """An answer as it was given; the newest row per item and seat counts, a null value means it was taken back."""

    __tablename__ = "answers"
    __table_args__ = (
        Index("ix_answers_sheet_id", "sheet_id", "item", "seat", "id"),
        Index(
            "ix_answers_words",
            text("to_tsvector('simple', value #>> '{}')"),
            postgresql_using="gin",
            postgresql_where=text("jsonb_typeof(value) = 'string'"),
        ),
    )

    id: Mapped[Key]
    sheet_id: Mapped[int] = mapped_column(ForeignKey("questionnaire_sheets.id"))
    item: Mapped[str] = mapped_column(Text)
    seat: Mapped[int | None] = mapped_column(SmallInteger)
    value: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    shown_ms: Mapped[int | None] = mapped_column(Integer)
    """How long the item had been in view when it was answered, as the browser says."""
    at: Mapped[CreatedAt]
    checked_at: Mapped[datetime | None]
    """When a researcher looked at a free text for personal details, before it outlives its author."""


class AnswerCode(Base):
    """How one researcher codes one half-open answer; a coder may change his or her mind, the newest row counts."""

    __tablename__ = "answer_codes"
    __table_args__ = (
        Index("ix_answer_codes_answer_id", "answer_id", "coder", "id"),
        CheckConstraint("code IN ('right', 'wrong', 'unclear')", name="code_known"),
    )

    id: Mapped[Key]
    answer_id: Mapped[int] = mapped_column(ForeignKey("answers.id"))
    coder: Mapped[str] = mapped_column(Text)
    code: Mapped[str] = mapped_column(Text)
    at: Mapped[CreatedAt]
