"""The rest of equal words in both languages, and the pace at which every seat's board shows moves.

"certain" was "ganz sicher" in German, "somewhat" was "eher ja", and the profile asked how well somebody knows board
games where the answers said how many. Where the shipped questionnaires are in use, their next version is published; a
questionnaire that researchers wrote stays in use. Matches so far were shown at twice the leisurely pace.
"""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "20261118_22"
down_revision = "20261118_21"
branch_labels = None
depends_on = None

WORDS = {
    # (English, German) before: after
    ("certain", "ganz sicher"): ("certain", "sicher"),
    ("somewhat", "eher ja"): ("somewhat", "etwas"),
    ("How well do you know board games?", "Wie gut kennen Sie Brettspiele?"): (
        "How much experience do you have with board games?",
        "Wie viel Erfahrung haben Sie mit Brettspielen?",
    ),
    ("hardly", "kaum"): ("hardly any", "kaum welche"),
    ("some", "einige"): ("some", "etwas"),
    ("many", "viele"): ("a lot", "viel"),
}

IN_USE = sa.text(
    "SELECT id, purpose, content FROM questionnaire_versions"
    " WHERE state = 'published' AND author = 'GRINTU' ORDER BY id"
)
RETIRE = sa.text("UPDATE questionnaire_versions SET state = 'retired', retired_at = now() WHERE id = :id")
PUBLISH = sa.text(
    "INSERT INTO questionnaire_versions (purpose, number, state, content, author, created_at, published_at)"
    " SELECT CAST(:purpose AS text), max(number) + 1, 'published', CAST(:content AS jsonb), 'GRINTU', now(), now()"
    " FROM questionnaire_versions WHERE purpose = :purpose"
)


def reworded(content: Any) -> Any:
    """The same questionnaire with the texts above in their new words."""
    if isinstance(content, list):
        return [reworded(each) for each in content]
    if not isinstance(content, dict):
        return content
    if content.keys() == {"en", "de"}:
        english, german = WORDS.get((content["en"], content["de"]), (content["en"], content["de"]))
        return {"en": english, "de": german}
    return {key: reworded(value) for key, value in content.items()}


def upgrade() -> None:
    op.add_column("matches", sa.Column("animation_speed", sa.Float, nullable=False, server_default="2"))
    connection = op.get_bind()
    for row in connection.execute(IN_USE).all():
        changed = reworded(row.content)
        if changed != row.content:
            connection.execute(RETIRE, {"id": row.id})
            connection.execute(PUBLISH, {"purpose": row.purpose, "content": json.dumps(changed)})


def downgrade() -> None:
    op.drop_column("matches", "animation_speed")
