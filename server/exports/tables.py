"""What can be exported: each table with its query and, for every column, what it means. The codebook is made from this.

Queries see pseudonyms only. `$1` and `$2` are the first and the last moment that is wanted.
"""

from __future__ import annotations

from typing import Final

from server.exports.columns import GAME, MATCH, PERSON, SEAT, VERSION, Column, ColumnKind, Table
from server.exports.interactions import INTERACTIONS
from server.exports.joined import JOINED
from server.exports.science import SCIENCE
from server.live.models import Source

__all__ = ["GROUPS", "TABLES", "Column", "ColumnKind", "Table", "chosen"]

TABLES: Final = (
    Table(
        "persons",
        "persons",
        "Everybody who has an account or had one.",
        (
            PERSON,
            Column("since", ColumnKind.TIME, "When the person was created."),
            Column("has_account", ColumnKind.BOOLEAN, "Whether the account still exists."),
            Column("simulated", ColumnKind.BOOLEAN, "Whether it is a program's answers that stand for a person's."),
            Column("matches", ColumnKind.INTEGER, "How many matches the person sat in, up to now."),
            Column("confirmed_flags", ColumnKind.INTEGER, "How many falsifier flags researchers have confirmed."),
        ),
        """
        SELECT p.pseudonym, p.created_at, a.id IS NOT NULL, starts_with(p.pseudonym, 'simulated-'),
               (SELECT count(*) FROM match_seats s WHERE s.person_id = p.id),
               (SELECT count(*) FROM falsifier_flags f WHERE f.person_id = p.id AND f.state = 'confirmed')
        FROM persons p LEFT JOIN accounts a ON a.person_id = p.id
        WHERE p.created_at BETWEEN $1 AND $2 ORDER BY p.id
        """,
    ),
    Table(
        "matches",
        "matches",
        "One row per match.",
        (
            MATCH,
            GAME,
            Column("started_at", ColumnKind.TIME, "When it began."),
            Column("ended_at", ColumnKind.TIME, "When it ended; empty while it runs."),
            Column("moves", ColumnKind.INTEGER, "Number of moves so far, dice included."),
            Column("commitment", ColumnKind.TEXT, "Hash of the dice seed, told to all at the start."),
            Column("programs_think", ColumnKind.TEXT, "Where its programs were computed.", "browsers, server"),
            Column("software", ColumnKind.TEXT, "Version of the platform that began the match."),
            Column("simulated", ColumnKind.BOOLEAN, "Whether it was written by a simulated study; nobody played it."),
            Column("animation_speed", ColumnKind.NUMBER, "How fast every seat's board showed moves; 1 is leisurely."),
        ),
        """
        SELECT id, game, starts_at, ended_at, ply, commitment, programs_think, software,
               software LIKE '% simulated', animation_speed
        FROM matches WHERE starts_at BETWEEN $1 AND $2 ORDER BY id
        """,
    ),
    Table(
        "seats",
        "matches",
        "One row per seat of a match: who was what.",
        (
            MATCH,
            GAME,
            SEAT,
            Column("person", ColumnKind.TEXT, "Pseudonym of the person on the seat; empty for a program."),
            Column("strategy", ColumnKind.TEXT, "The program on the seat, or the stand-in that took it over."),
            Column(
                "replaced_at", ColumnKind.TIME, "When a stand-in took over; such a seat is neither judged nor rated."
            ),
            Column("score", ColumnKind.INTEGER, "Points at the end."),
            Column("won", ColumnKind.BOOLEAN, "Whether the seat won, alone or with others."),
            Column("board_shape", ColumnKind.TEXT, "How the person's browser drew the board; empty for a program."),
            Column("language", ColumnKind.TEXT, "Language of the person's page.", "en, de"),
            Column("device", ColumnKind.TEXT, "Kind of device, by its screen and input.", "phone, tablet, desktop"),
            Column("viewport_width", ColumnKind.INTEGER, "Width of the page when the match was opened, in CSS pixels."),
            Column("viewport_height", ColumnKind.INTEGER, "Height of the page then."),
            Column("input", ColumnKind.TEXT, "What the device is mainly operated with.", "mouse, touch, none"),
        ),
        """
        SELECT s.match_id, m.game, s.seat, p.pseudonym, s.strategy, s.replaced_at,
               m.scores[s.seat + 1], s.seat = ANY(m.winners),
               s.board_shape, s.language, s.device, s.viewport_width, s.viewport_height, s.input
        FROM match_seats s JOIN matches m ON m.id = s.match_id LEFT JOIN persons p ON p.id = s.person_id
        WHERE m.starts_at BETWEEN $1 AND $2 ORDER BY s.match_id, s.seat
        """,
    ),
    Table(
        "moves",
        "matches",
        "One row per move, dice included; together they are the books.",
        (
            MATCH,
            GAME,
            Column("ply", ColumnKind.INTEGER, "Number of moves before this one."),
            Column("seat", ColumnKind.INTEGER, "Who moved.", "-1 chance, 0 the first seat and so on"),
            Column("move", ColumnKind.TEXT, "The move in the game's notation."),
            Column("milliseconds", ColumnKind.INTEGER, "Time since the move before."),
            Column("source", ColumnKind.TEXT, "Where it came from.", ", ".join(Source)),
            Column("at", ColumnKind.TIME, "When it was committed."),
        ),
        """
        SELECT v.match_id, m.game, v.ply, v.seat, v.move, v.ms, v.source, v.at
        FROM match_moves v JOIN matches m ON m.id = v.match_id
        WHERE m.starts_at BETWEEN $1 AND $2 ORDER BY v.match_id, v.ply
        """,
    ),
    Table(
        "decisions",
        "matches",
        "What programs decided and why, as far as the server computed it.",
        (
            MATCH,
            GAME,
            Column("ply", ColumnKind.INTEGER, "Number of moves before the decision."),
            SEAT,
            Column("player", ColumnKind.TEXT, "Name of the program."),
            Column("decision", ColumnKind.JSON, "The move, the values of all moves where it told them, and its words."),
            Column("at", ColumnKind.TIME, "When it was computed."),
        ),
        """
        SELECT d.match_id, m.game, d.ply, d.seat, d.player, d.decision, d.at
        FROM match_decisions d JOIN matches m ON m.id = d.match_id
        WHERE m.starts_at BETWEEN $1 AND $2 ORDER BY d.match_id, d.ply, d.seat
        """,
    ),
    INTERACTIONS,
    Table(
        "game_sources",
        "games",
        "The rules that do not come with the platform: the source of each reference.",
        (
            GAME,
            Column("kind", ColumnKind.TEXT, "The kind of games that opens the source."),
            Column("title", ColumnKind.TEXT, "What people call it."),
            Column("author", ColumnKind.TEXT, "Pseudonym of who added it."),
            Column("created_at", ColumnKind.TIME, "When it was added."),
            Column("source", ColumnKind.TEXT, "The whole text."),
        ),
        """
        SELECT reference, kind, title, author, created_at, source FROM game_sources
        WHERE created_at <= $2 AND $1 <= $2 ORDER BY created_at, reference
        """,
    ),
    Table(
        "questionnaire_versions",
        "questionnaires",
        "Every version of every questionnaire that was ever published, as JSON.",
        (
            Column("questionnaire", ColumnKind.TEXT, "Which one.", "after_match, profile"),
            VERSION,
            Column("state", ColumnKind.TEXT, "Whether it is in use.", "published, retired"),
            Column("published_at", ColumnKind.TIME, "When it was first published."),
            Column("content", ColumnKind.JSON, "The questionnaire itself: items, texts in both languages, conditions."),
        ),
        """
        SELECT purpose, number, state, published_at, content FROM questionnaire_versions
        WHERE state <> 'draft' AND created_at <= $2 AND $1 <= $2 ORDER BY purpose, number
        """,
    ),
    Table(
        "sheets",
        "questionnaires",
        "One row per questionnaire that was opened after a match.",
        (
            Column("sheet", ColumnKind.INTEGER, "Number of the sheet."),
            MATCH,
            GAME,
            PERSON,
            VERSION,
            Column("opened_at", ColumnKind.TIME, "When it was shown for the first time."),
            Column("finished_at", ColumnKind.TIME, "When the person finished it."),
            Column("skipped_at", ColumnKind.TIME, "When the person chose to skip it."),
            Column("closed_at", ColumnKind.TIME, "When its day was over before it was finished."),
        ),
        """
        SELECT s.id, s.match_id, m.game, p.pseudonym, v.number, s.opened_at, s.finished_at, s.skipped_at, s.closed_at
        FROM questionnaire_sheets s JOIN persons p ON p.id = s.person_id JOIN matches m ON m.id = s.match_id
        JOIN questionnaire_versions v ON v.id = s.version_id
        WHERE s.match_id IS NOT NULL AND s.opened_at BETWEEN $1 AND $2 ORDER BY s.id
        """,
    ),
    Table(
        "answers",
        "questionnaires",
        "Every answer ever given after a match; the newest per sheet, item and seat counts.",
        (
            Column("answer", ColumnKind.INTEGER, "Number of the answer."),
            Column("sheet", ColumnKind.INTEGER, "Number of the sheet it stands on."),
            MATCH,
            GAME,
            PERSON,
            VERSION,
            Column("item", ColumnKind.TEXT, "Key of the item, as in the version's content."),
            Column("seat", ColumnKind.INTEGER, "The seat it is about, from 0 on; empty for the whole match."),
            Column("value", ColumnKind.JSON, "The answer as JSON; null where it was taken back."),
            Column("counts", ColumnKind.BOOLEAN, "Whether no later answer replaced it."),
            Column("shown_ms", ColumnKind.INTEGER, "How long the item had been in view, as the browser says."),
            Column("at", ColumnKind.TIME, "When it was given."),
        ),
        """
        SELECT a.id, a.sheet_id, s.match_id, m.game, p.pseudonym, v.number, a.item, a.seat, a.value,
               a.id = max(a.id) OVER (PARTITION BY a.sheet_id, a.item, a.seat), a.shown_ms, a.at
        FROM answers a JOIN questionnaire_sheets s ON s.id = a.sheet_id JOIN persons p ON p.id = s.person_id
        JOIN matches m ON m.id = s.match_id
        JOIN questionnaire_versions v ON v.id = s.version_id
        WHERE s.match_id IS NOT NULL AND a.at BETWEEN $1 AND $2 ORDER BY a.id
        """,
    ),
    Table(
        "codes",
        "questionnaires",
        "How researchers coded half-open answers; the newest per answer and coder counts.",
        (
            Column("answer", ColumnKind.INTEGER, "Number of the answer."),
            Column("coder", ColumnKind.TEXT, "Pseudonym of the researcher."),
            Column("code", ColumnKind.TEXT, "The code.", "right, wrong, unclear"),
            Column("at", ColumnKind.TIME, "When it was given."),
        ),
        "SELECT answer_id, coder, code, at FROM answer_codes WHERE at BETWEEN $1 AND $2 ORDER BY id",
    ),
    Table(
        "profiles",
        "persons",
        "The change log of the profiles; an empty value means that it was cleared.",
        (
            PERSON,
            VERSION,
            Column("attribute", ColumnKind.TEXT, "Key of the profile's item."),
            Column("value", ColumnKind.JSON, "The value as JSON; null where it was cleared."),
            Column("at", ColumnKind.TIME, "When it was changed."),
        ),
        """
        SELECT p.pseudonym, v.number, a.item, a.value, a.at
        FROM answers a JOIN questionnaire_sheets s ON s.id = a.sheet_id JOIN persons p ON p.id = s.person_id
        JOIN questionnaire_versions v ON v.id = s.version_id
        WHERE s.match_id IS NULL AND a.at BETWEEN $1 AND $2 ORDER BY a.id
        """,
    ),
    Table(
        "judgements",
        "judgements",
        "The judgement log: one row per match, judging person and judged seat. All ratings come from it.",
        (
            Column("position", ColumnKind.INTEGER, "Position in the log."),
            Column("at", ColumnKind.TIME, "When the questionnaire was finished."),
            MATCH,
            GAME,
            PERSON,
            SEAT,
            Column("seat_truth", ColumnKind.TEXT, "What sat there.", "human, or the strategy's name"),
            Column("verdict", ColumnKind.TEXT, "What the person said.", "human, artificial, cannot tell"),
            Column("sureness", ColumnKind.INTEGER, "How sure, 0 to 100; empty if not said."),
            Column("challenge", ColumnKind.TEXT, "How challenging.", "not, somewhat, overstraining, unsure"),
            Column("enjoyment", ColumnKind.INTEGER, "Enjoyment of the match, 1 (not at all) to 5 (very much)."),
            Column("marked_ply", ColumnKind.INTEGER, "The move that gave it away, where one was marked."),
        ),
        """
        SELECT j.id, j.at, j.match_id, j.game, p.pseudonym, j.seat, coalesce(j.strategy, 'human'), j.verdict,
               j.sureness, j.challenge, j.enjoyment, j.marked_ply
        FROM judgements j JOIN persons p ON p.id = j.person_id WHERE j.at BETWEEN $1 AND $2 ORDER BY j.id
        """,
    ),
    JOINED,
    Table(
        "flags",
        "persons",
        "Falsifier flags and what researchers decided about them.",
        (
            PERSON,
            Column("flag", ColumnKind.TEXT, "Name of the sign that was seen."),
            Column("evidence", ColumnKind.TEXT, "What was seen."),
            Column("state", ColumnKind.TEXT, "What was decided.", "raised, confirmed, lifted"),
            Column("raised_at", ColumnKind.TIME, "When it was seen first."),
            Column("decided_at", ColumnKind.TIME, "When a researcher decided."),
        ),
        """
        SELECT p.pseudonym, f.name, f.evidence, f.state, f.raised_at, f.decided_at
        FROM falsifier_flags f JOIN persons p ON p.id = f.person_id
        WHERE f.raised_at BETWEEN $1 AND $2 ORDER BY f.raised_at, f.person_id, f.name
        """,
    ),
    *SCIENCE,
)

GROUPS: Final = tuple(dict.fromkeys(table.group for table in TABLES))


def chosen(names: list[str]) -> tuple[Table, ...]:
    """The tables of the named groups or tables; all of them for no name. Raises KeyError with the first unknown one."""
    known = {*GROUPS, *(table.name for table in TABLES)}
    for name in names:
        if name not in known:
            raise KeyError(name)
    return tuple(table for table in TABLES if not names or table.name in names or table.group in names)
