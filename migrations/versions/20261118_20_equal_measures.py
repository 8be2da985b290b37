"""What is measured must not hang on how it was shown: equal words in both languages, and what each seat looked at.

The questionnaires that come with the platform said "Diese Person war … ein Programm" where English says "This player";
some options differed in meaning, too. Where they are in use, their next version is published; a questionnaire that
researchers wrote stays in use. Sheets that are open keep the version they were opened in.
"""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "20261118_20"
down_revision = "20261118_19"
branch_labels = None
depends_on = None

WORDS = {
    # (English, German) before: after
    ("This player was …", "Diese Person war …"): ("This player was …", "Dieses Gegenüber war …"),
    ("Playing against this player was …", "Gegen diese Person zu spielen war …"): (
        "Playing against this player was …",
        "Gegen dieses Gegenüber zu spielen war …",
    ),
    ("… because this player", "… weil diese Person"): ("… because this player", "… weil dieses Gegenüber"),
    ("What did this player seem to aim at?", "Worauf schien diese Person aus zu sein?"): (
        "What did this player seem to aim at?",
        "Worauf schien dieses Gegenüber aus zu sein?",
    ),
    ("overstraining", "überfordernd"): ("too hard", "zu schwer"),
    ("unsure", "unsicher"): ("I cannot say", "kann ich nicht sagen"),
    ("You cannot say; the answer does not count.", "Sie können es nicht sagen; die Antwort zählt nicht."): (
        "This answer does not count.",
        "Diese Antwort zählt nicht.",
    ),
    ("How did you enjoy the match?", "Wie hat Ihnen die Partie gefallen?"): (
        "Did you enjoy the match?",
        "Hat Ihnen die Partie Freude gemacht?",
    ),
    ("rather not", "eher nicht"): ("not really", "eher nicht"),
    ("neutral", "teils, teils"): ("neutral", "neutral"),
    ("rather well", "eher gut"): ("somewhat", "eher ja"),
    ("very well", "sehr gut"): ("very much", "sehr"),
    ("diverse", "divers"): ("non-binary", "divers"),
    ("driven, decisive, likes to win", "antreibend, entschieden, gewinnt gern"): (
        "driven, decisive, likes to win",
        "zielstrebig, entschieden, gewinnt gern",
    ),
    ("a few of them", "einige"): ("some", "einige"),
    ("hardly at all", "kaum"): ("hardly", "kaum"),
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
    for name, kind in (
        ("board_shape", sa.Text),
        ("language", sa.Text),
        ("device", sa.Text),
        ("viewport_width", sa.Integer),
        ("viewport_height", sa.Integer),
        ("input", sa.Text),
    ):
        op.add_column("match_seats", sa.Column(name, kind))
    connection = op.get_bind()
    for row in connection.execute(IN_USE).all():
        changed = reworded(row.content)
        if changed != row.content:
            connection.execute(RETIRE, {"id": row.id})
            connection.execute(PUBLISH, {"purpose": row.purpose, "content": json.dumps(changed)})


def downgrade() -> None:
    for name in ("board_shape", "language", "device", "viewport_width", "viewport_height", "input"):
        op.drop_column("match_seats", name)
