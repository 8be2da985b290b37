"""No tables of its own: the indexes that let overviews count a million rows without reading the rows themselves.

Every column that a dashboard counts by is in the index, so that Postgres need not visit the table (index-only scans).
"""

from __future__ import annotations

from sqlalchemy import Index, text

from server.accounts.models import Person
from server.judgements.models import JudgementRow
from server.live.models import Match, MatchEvent, MatchSeat
from server.questionnaires.models import Sheet
from server.rounds.models import RoundMember

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
Index("ix_judgements_at", JudgementRow.at, postgresql_include=["person_id", "match_id"])
Index("ix_judgements_course", JudgementRow.person_id, JudgementRow.id, postgresql_include=["strategy", "verdict"])
Index("ix_round_members_strategy", RoundMember.strategy)
