-- A questionnaire after that match, answered by one of its people; a profile; codes, judgements, a flag and a finding.

INSERT INTO questionnaire_versions (purpose, number, state, content, author, created_at, published_at, retired_at) VALUES
    ('after_match', 1, 'retired', '{"purpose": "after_match", "title": {"en": "Old", "de": "Alt"}, "introduction": {"en": "Say.", "de": "Sagen."}, "items": [{"type": "choice", "key": "verdict", "scope": "seat", "measures": "verdict", "required": true, "text": {"en": "This player was", "de": "Das war"}, "options": [{"key": "human", "text": {"en": "a human", "de": "ein Mensch"}}, {"key": "artificial", "text": {"en": "a program", "de": "ein Programm"}}, {"key": "cannot_tell", "text": {"en": "cannot tell", "de": "nicht zu sagen"}}]}, {"type": "half_open", "key": "aim", "scope": "seat", "text": {"en": "What did this player aim at?", "de": "Was wollte er?"}}]}',
     'calm-otter-1003', '2026-11-04 08:00:00+00', '2026-11-04 08:30:00+00', '2026-11-06 08:00:00+00'),
    ('profile', 1, 'draft', '{"purpose": "profile", "title": {"en": "About you", "de": "Zu Ihnen"}, "introduction": {"en": "Tell.", "de": "Erzählen."}, "items": [{"type": "open", "key": "games", "scope": "person", "text": {"en": "Which games do you play?", "de": "Welche Spiele spielen Sie?"}}]}', 'calm-otter-1003', '2026-11-04 09:00:00+00', NULL, NULL);

INSERT INTO questionnaire_sheets (version_id, person_id, match_id, seats, opened_at, closes_at, finished_at) VALUES
    (1, 1, 1, '[1]', '2026-11-05 18:20:00+00', '2026-11-06 18:20:00+00', '2026-11-05 18:25:00+00'),
    (1, 2, 1, '[0, 1]', '2026-11-05 18:20:00+00', '2026-11-06 18:20:00+00', NULL);

INSERT INTO answers (sheet_id, item, seat, value, shown_ms, at, checked_at) VALUES
    (1, 'verdict', 1, '"human"', 5200, '2026-11-05 18:21:00+00', NULL),
    (1, 'verdict', 1, '"artificial"', 9100, '2026-11-05 18:22:00+00', NULL),
    (1, 'aim', 1, '"always the nearest piece, \"wie blöd\""', 11000, '2026-11-05 18:23:00+00', '2026-11-07 10:00:00+00'),
    (1, 'aim', 0, NULL, NULL, '2026-11-05 18:24:00+00', NULL);

INSERT INTO answer_codes (answer_id, coder, code, at) VALUES (3, 'calm-otter-1003', 'right', '2026-11-07 10:01:00+00');

INSERT INTO judgements (at, match_id, person_id, seat, strategy, verdict, sureness, challenge, enjoyment, marked_ply)
VALUES ('2026-11-05 18:25:00+00', 1, 1, 1, 'PALS', 'artificial', 80, 'somewhat', 4, 17);

INSERT INTO falsifier_flags (person_id, name, evidence, raised_at, state, decided_by, decided_at)
VALUES (2, 'too_fast', 'answers in 0.4 s', '2026-11-06 09:00:00+00', 'lifted', 'calm-otter-1003', '2026-11-06 10:00:00+00');

INSERT INTO findings (title, body, author, created_at, published_at)
VALUES ('{"en": "First finding", "de": "Erstes Ergebnis"}', '{"en": "Nothing yet.", "de": "Noch nichts."}', 'calm-otter-1003', '2026-11-08 08:00:00+00', '2026-11-08 09:00:00+00');
