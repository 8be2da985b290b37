"""The first version of the consent texts, for studies that have none of their own yet."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "20261116_04"
down_revision = "20261116_03"
branch_labels = None
depends_on = None

TEXTS = {
    "play_data": {
        "en": {
            "title": "Taking part and play data",
            "body": (
                "You play board games with others who may be people or programs, and answer questions about them. "
                "Stored are: your mail address and password (encrypted), every move with its time, your answers, "
                "and what you choose to tell about yourself. The others see only the colour of your seat.\n\n"
                "The data serve research into what makes play look human. They are evaluated under a pseudonym, "
                "and published only in a form that does not show who you are.\n\n"
                "Taking part is voluntary. You can withdraw this consent at any time; then you play no further "
                "matches. You can see, download and delete your data on your account page. Four weeks after your "
                "last log-in the account counts as inactive; six months after it your personal data are deleted. "
                "Games, answers and ratings stay, without a link to you."
            ),
        },
        "de": {
            "title": "Teilnahme und Spieldaten",
            "body": (
                "Sie spielen Brettspiele mit anderen, die Menschen oder Programme sein können, und beantworten "
                "Fragen über sie. Gespeichert werden: Ihre E-Mail-Adresse und Ihr Passwort (verschlüsselt), jeder "
                "Zug mit seiner Zeit, Ihre Antworten und was Sie freiwillig über sich angeben. Die anderen sehen "
                "nur die Farbe Ihres Platzes.\n\n"
                "Die Daten dienen der Forschung darüber, was Spiel menschlich wirken lässt. Sie werden unter "
                "einem Pseudonym ausgewertet und nur so veröffentlicht, dass man Sie nicht erkennt.\n\n"
                "Die Teilnahme ist freiwillig. Sie können diese Einwilligung jederzeit widerrufen; dann spielen "
                "Sie keine weiteren Partien. Auf Ihrer Kontoseite können Sie Ihre Daten ansehen, herunterladen "
                "und löschen. Vier Wochen nach der letzten Anmeldung gilt das Konto als inaktiv; sechs Monate "
                "danach werden Ihre persönlichen Daten gelöscht. Partien, Antworten und Bewertungen bleiben ohne "
                "Bezug zu Ihnen erhalten."
            ),
        },
    },
    "interaction_log": {
        "en": {
            "title": "Record of how you use the board",
            "body": (
                "During a match your browser also records how you use the board: the sampled path of the pointer, "
                "clicks, keys, pauses, and whether the window is in front. Nothing outside the board is recorded.\n\n"
                "This is voluntary; you can play without it. If you withdraw this consent, these records are "
                "deleted."
            ),
        },
        "de": {
            "title": "Aufzeichnung, wie Sie das Brett bedienen",
            "body": (
                "Während einer Partie zeichnet Ihr Browser außerdem auf, wie Sie das Brett bedienen: den Weg des "
                "Zeigers in Stichproben, Klicks, Tasten, Pausen und ob das Fenster im Vordergrund ist. Außerhalb "
                "des Bretts wird nichts aufgezeichnet.\n\n"
                "Das ist freiwillig; Sie können auch ohne spielen. Wenn Sie diese Einwilligung widerrufen, werden "
                "diese Aufzeichnungen gelöscht."
            ),
        },
    },
}

INSERT = sa.text(
    "INSERT INTO consent_texts (kind, version, texts, published_at)"
    " SELECT CAST(:kind AS text), 1, CAST(:texts AS jsonb), CAST(:at AS timestamptz)"
    " WHERE NOT EXISTS (SELECT FROM consent_texts WHERE kind = :kind)"
)


def upgrade() -> None:
    at = datetime(2026, 11, 16, tzinfo=UTC)
    for kind, texts in TEXTS.items():
        op.execute(INSERT.bindparams(kind=kind, texts=json.dumps(texts), at=at))


def downgrade() -> None:
    op.execute("DELETE FROM consents")
    op.execute("DELETE FROM consent_texts")
