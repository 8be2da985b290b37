"""Tables of the study's frame: consent texts and consents, and the history of study settings. All append-only."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from server.storage.database import Base, CreatedAt, Key


class ConsentText(Base):
    """One version of what people agree to, in every language. A new version asks everybody again."""

    __tablename__ = "consent_texts"
    __table_args__ = (UniqueConstraint("kind", "version"),)

    id: Mapped[Key]
    kind: Mapped[str] = mapped_column(Text)
    version: Mapped[int]
    texts: Mapped[dict[str, Any]]
    published_at: Mapped[CreatedAt]


class Consent(Base):
    """A person gave or withdrew a consent; the newest row per kind counts."""

    __tablename__ = "consents"
    __table_args__ = (Index("ix_consents_person_id", "person_id"),)

    id: Mapped[Key]
    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"))
    text_id: Mapped[int] = mapped_column(ForeignKey("consent_texts.id"))
    given: Mapped[bool]
    at: Mapped[CreatedAt]

    text: Mapped[ConsentText] = relationship(lazy="raise")


class StudySetting(Base):
    """One change of one study setting; the newest row per name counts."""

    __tablename__ = "study_settings"
    __table_args__ = (Index("ix_study_settings_name", "name", "id"),)

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(Text)
    value: Mapped[Any] = mapped_column(JSONB)
    changed_by: Mapped[str] = mapped_column(Text)
    changed_at: Mapped[CreatedAt]
