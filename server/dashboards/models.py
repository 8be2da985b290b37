"""Days that are kept for overviews, and the indexes that let pages count a million rows without reading the rows.

Every column that a dashboard counts by is in the index, so that Postgres need not visit the table (index-only scans).
"""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import Date, Index, LargeBinary, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from server.accounts.models import Person
from server.judgements.models import JudgementRow
from server.live.models import Match, MatchEvent, MatchSeat
from server.questionnaires.models import Answer, Sheet
from server.rounds.models import RoundMember
from server.storage.database import Base, CreatedAt

Index("ix_persons_created_at", Person.created_at)
Index("ix_matches_created_at", Match.created_at, postgresql_include=["id", "game"])
Index("ix_match_seats_replaced", MatchSeat.match_id, postgresql_where=text("replaced_at IS NOT NULL"))
Index("ix_match_seats_strategy", MatchSeat.strategy, MatchSeat.match_id, postgresql_where=text("person_id IS NULL"))
Index("ix_match_events_seated", MatchEvent.at, postgresql_where=text("kind = 'seated'"))
Index(
    "ix_questionnaire_sheets_opened_at",
    Sheet.opened_at,
    postgresql_include=["match_id", "person_id", "finished_at", "skipped_at", "closed_at"],
    postgresql_where=text("match_id IS NOT NULL"),
)
Index("ix_judgements_at", JudgementRow.at, postgresql_include=["person_id", "match_id", "game"])
Index(
    "ix_judgements_course", JudgementRow.person_id, JudgementRow.id, postgresql_include=["game", "strategy", "verdict"]
)
Index("ix_round_members_strategy", RoundMember.strategy)
Index(
    "ix_judgements_about",
    JudgementRow.game,
    JudgementRow.strategy,
    JudgementRow.at,
    postgresql_include=["person_id", "verdict", "challenge", "enjoyment"],
)
Index("ix_answers_item", Answer.item, Answer.id)
Index("ix_questionnaire_sheets_profile", Sheet.person_id, Sheet.id, postgresql_where=text("match_id IS NULL"))


class OverviewDay(Base):
    """One day that is over, per game: who sat, which questionnaires were answered, who judged (see chunks.py)."""

    __tablename__ = "overview_days"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    game: Mapped[str] = mapped_column(Text, primary_key=True)
    """Empty in the row that says that all of the day is here."""
    made_at: Mapped[CreatedAt]
    seats: Mapped[bytes] = mapped_column(LargeBinary)
    sheets: Mapped[bytes] = mapped_column(LargeBinary)
    judged: Mapped[bytes] = mapped_column(LargeBinary)
    answers: Mapped[list[Any] | None]
    """In the row of the whole day: how often each answer was given, and each two together (see answers.py)."""
    answer_givers: Mapped[bytes | None] = mapped_column(LargeBinary)
    """In the row of the whole day: who gave each answer how often. Days without it were kept before there was one."""
    pair_givers: Mapped[bytes | None] = mapped_column(LargeBinary)
    """The same of each two answers."""
