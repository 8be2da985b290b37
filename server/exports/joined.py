"""The table to analyse: one row per judgement, with all that is known about it. `$1` and `$2` as in tables.py."""

from __future__ import annotations

from typing import Final

from server.exports.columns import GAME, MATCH, PERSON, SEAT, VERSION, Column, ColumnKind, Table

JOINED: Final = Table(
    "judgements_joined",
    "judgements",
    "One row per judgement with everything joined: who judged, what sat there, how the match went, how it was shown.",
    (
        Column("position", ColumnKind.INTEGER, "Position in the judgement log."),
        Column("at", ColumnKind.TIME, "When the questionnaire was finished."),
        MATCH,
        GAME,
        PERSON,
        SEAT,
        Column("seat_truth", ColumnKind.TEXT, "What sat there.", "human, or the strategy's name"),
        Column("seat_is_human", ColumnKind.BOOLEAN, "Whether a human sat there."),
        Column("verdict", ColumnKind.TEXT, "What the person said.", "human, artificial, cannot tell"),
        Column("right", ColumnKind.BOOLEAN, "Whether the verdict is true; empty for those who could not tell."),
        Column("sureness", ColumnKind.INTEGER, "How sure, 0 to 100; empty if not said."),
        Column("challenge", ColumnKind.TEXT, "How challenging.", "not, somewhat, overstraining, unsure"),
        Column("enjoyment", ColumnKind.INTEGER, "Enjoyment of the match, 1 (not at all) to 5 (very much)."),
        Column("marked_ply", ColumnKind.INTEGER, "The move that gave it away, where one was marked."),
        Column("person_judgements_before", ColumnKind.INTEGER, "How often this person had judged before, in any game."),
        Column(
            "person_met_before", ColumnKind.INTEGER, "How often this person had judged the same truth in this game."
        ),
        Column("person_seat", ColumnKind.INTEGER, "Seat of the judging person."),
        Column("person_score", ColumnKind.INTEGER, "Points of the judging person at the end."),
        Column("person_won", ColumnKind.BOOLEAN, "Whether the judging person won, alone or with others."),
        Column(
            "person_has_confirmed_flags", ColumnKind.BOOLEAN, "Whether researchers have confirmed a falsifier flag."
        ),
        Column("board_shape", ColumnKind.TEXT, "How the judging person's browser drew the board."),
        Column("language", ColumnKind.TEXT, "Language of the judging person's page.", "en, de"),
        Column("device", ColumnKind.TEXT, "Kind of the judging person's device.", "phone, tablet, desktop"),
        Column("viewport_width", ColumnKind.INTEGER, "Width of the judging person's page, in CSS pixels."),
        Column("viewport_height", ColumnKind.INTEGER, "Height of that page."),
        Column("input", ColumnKind.TEXT, "What that device is mainly operated with.", "mouse, touch, none"),
        Column("seat_person", ColumnKind.TEXT, "Pseudonym of the judged person; empty for a program."),
        Column("seat_score", ColumnKind.INTEGER, "Points of the judged seat at the end."),
        Column("seat_won", ColumnKind.BOOLEAN, "Whether the judged seat won, alone or with others."),
        Column("seat_moves", ColumnKind.INTEGER, "How many moves the judged seat made."),
        Column("seat_mean_milliseconds", ColumnKind.NUMBER, "Mean time before a move of the judged seat."),
        Column("match_started_at", ColumnKind.TIME, "When the match began."),
        Column("match_ended_at", ColumnKind.TIME, "When it ended."),
        Column("match_moves", ColumnKind.INTEGER, "Number of moves of the match, dice included."),
        Column("match_programs_think", ColumnKind.TEXT, "Where its programs were computed.", "browsers, server"),
        Column("match_software", ColumnKind.TEXT, "Version of the platform that began the match."),
        VERSION,
        Column("sheet_opened_at", ColumnKind.TIME, "When the questionnaire was shown for the first time."),
        Column("sheet_seconds", ColumnKind.NUMBER, "Time until it was finished; empty if its day was over before."),
        Column("answers", ColumnKind.JSON, "All answers that count, about this seat and the match, by item."),
        Column("profile", ColumnKind.JSON, "The judging person's profile as it is now, by item."),
    ),
    """
    SELECT j.id, j.at, j.match_id, j.game, p.pseudonym, j.seat, coalesce(j.strategy, 'human'), j.strategy IS NULL,
           j.verdict,
           CASE WHEN j.verdict IN ('human', 'artificial') THEN (j.verdict = 'human') = (j.strategy IS NULL) END,
           j.sureness, j.challenge, j.enjoyment, j.marked_ply, j.judged_before, j.met_before,
           own.seat, m.scores[own.seat + 1], own.seat = ANY(m.winners),
           EXISTS (SELECT 1 FROM falsifier_flags f WHERE f.person_id = j.person_id AND f.state = 'confirmed'),
           own.board_shape, own.language, own.device, own.viewport_width, own.viewport_height, own.input,
           other.pseudonym, m.scores[j.seat + 1], j.seat = ANY(m.winners), made.moves, made.mean_ms,
           m.starts_at, m.ended_at, m.ply, m.programs_think, m.software,
           v.number, s.opened_at, extract(epoch FROM s.finished_at - s.opened_at)::float8,
           said.answers, own_words.profile
    FROM (
        SELECT *, row_number() OVER (PARTITION BY person_id ORDER BY id) - 1 AS judged_before,
               row_number() OVER (
                   PARTITION BY person_id, game, coalesce(strategy, 'human') ORDER BY id
               ) - 1 AS met_before
        FROM judgements
    ) j
    JOIN persons p ON p.id = j.person_id
    JOIN matches m ON m.id = j.match_id
    LEFT JOIN match_seats own ON own.match_id = j.match_id AND own.person_id = j.person_id
    LEFT JOIN match_seats judged ON judged.match_id = j.match_id AND judged.seat = j.seat
    LEFT JOIN persons other ON other.id = judged.person_id
    LEFT JOIN questionnaire_sheets s ON s.match_id = j.match_id AND s.person_id = j.person_id
    LEFT JOIN questionnaire_versions v ON v.id = s.version_id
    LEFT JOIN LATERAL (
        SELECT count(*) AS moves, avg(ms)::float8 AS mean_ms
        FROM match_moves WHERE match_id = j.match_id AND seat = j.seat
    ) made ON true
    LEFT JOIN LATERAL (
        SELECT jsonb_object_agg(item, value) AS answers FROM (
            SELECT DISTINCT ON (item, seat) item, value FROM answers
            WHERE sheet_id = s.id AND (seat = j.seat OR seat IS NULL) ORDER BY item, seat, id DESC
        ) newest WHERE value IS NOT NULL
    ) said ON true
    LEFT JOIN LATERAL (
        SELECT jsonb_object_agg(item, value) AS profile FROM (
            SELECT DISTINCT ON (a.item) a.item, a.value
            FROM answers a JOIN questionnaire_sheets about ON about.id = a.sheet_id
            WHERE about.person_id = j.person_id AND about.match_id IS NULL ORDER BY a.item, a.id DESC
        ) newest WHERE value IS NOT NULL
    ) own_words ON true
    WHERE j.at BETWEEN $1 AND $2 ORDER BY j.id
    """,
)
