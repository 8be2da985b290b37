"""The first consent text called the stored password encrypted; it is hashed. Said truly wherever nobody has agreed yet.

Where somebody has, the text is what that person agreed to and stays: asking everybody again is the study's decision.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "20261116_14"
down_revision = "20261116_13"
branch_labels = None
depends_on = None

WORDS = {
    "en": (
        "your mail address and password (encrypted), every move",
        "your mail address, your password (only as a hash, from which it cannot be read), every move",
    ),
    "de": (
        "Ihre E-Mail-Adresse und Ihr Passwort (verschlüsselt), jeder",
        "Ihre E-Mail-Adresse, Ihr Passwort (nur als Hashwert, aus dem es sich nicht ablesen lässt), jeder",
    ),
}
REPLACE = sa.text("""
UPDATE consent_texts AS t
SET texts = jsonb_set(texts, ARRAY[CAST(:language AS text), 'body'],
                      to_jsonb(replace(texts -> CAST(:language AS text) ->> 'body', :before, :after)))
WHERE kind = 'play_data' AND version = 1 AND position(:before IN texts -> CAST(:language AS text) ->> 'body') > 0
  AND NOT EXISTS (SELECT FROM consents c WHERE c.text_id = t.id)
""")


def _say(before: int, after: int) -> None:
    for language, words in WORDS.items():
        op.execute(REPLACE.bindparams(language=language, before=words[before], after=words[after]))


def upgrade() -> None:
    _say(0, 1)


def downgrade() -> None:
    _say(1, 0)
