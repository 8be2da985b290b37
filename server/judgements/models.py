"""The judgement log: one row per match, judging person and judged seat; `id` is the position in the log."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base, CreatedAt, Key


class JudgementRow(Base):
    """The values are those of lab.judgements; `strategy` is null where a person sat on the judged seat."""

    __tablename__ = "judgements"
    __table_args__ = (
        UniqueConstraint("match_id", "person_id", "seat"),
        CheckConstraint("verdict IN ('human', 'artificial', 'cannot tell')", name="verdict_known"),
        CheckConstraint("challenge IN ('not', 'somewhat', 'overstraining', 'unsure')", name="challenge_known"),
        CheckConstraint("sureness BETWEEN 0 AND 100", name="sureness_range"),
        CheckConstraint("enjoyment BETWEEN 1 AND 5", name="enjoyment_range"),
        Index("ix_judgements_person_id", "person_id"),
        Index("ix_judgements_game", "game", "id"),
        Index("ix_judgements_strategy", "game", "strategy", "id"),
    )

    id: Mapped[Key]
    at: Mapped[CreatedAt]
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    game: Mapped[str] = mapped_column(Text)
    """The match's: strategies of the same name in different games are different strategies."""
    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"))
    seat: Mapped[int] = mapped_column(SmallInteger)
    strategy: Mapped[str | None] = mapped_column(Text)
    verdict: Mapped[str] = mapped_column(Text)
    sureness: Mapped[int | None] = mapped_column(SmallInteger)
    challenge: Mapped[str | None] = mapped_column(Text)
    enjoyment: Mapped[int | None] = mapped_column(SmallInteger)
    marked_ply: Mapped[int | None]
    """The move that gave it away, where the judging person marked one."""
