-- A study of {persons} persons and {matches} matches over {days} days. One table of two persons and a program is four judgements;
-- everybody is seated equally often. Braces are filled in by dashboards.py; a line `-- fill TABLE` begins a statement.

-- fill persons
INSERT INTO persons (pseudonym, created_at)
SELECT 'proband-' || to_char(n, 'FM000000'), now() - {days} * interval '1 day' * (1 - n::float / {persons})
FROM generate_series(1, {persons}) n;

-- fill accounts
INSERT INTO accounts (person_id, email, password_hash, role, language, created_at, confirmed_at)
SELECT id, pseudonym || '@example.org', '!', 'proband', 'en', created_at, created_at
FROM persons;

-- fill matches
INSERT INTO matches (created_at, software, game, dice_seed, secret, programs_think, commitment, panel, thinking, clock_ms, ask_ms, grace_ms, proposal_ms, check_share, starts_at, ply, to_act, position, turn_at, ended_at, scores, winners)
SELECT at, 'bench', 'jostle:standard', 'seed', 'secret', 'browsers', repeat('c', 64), (SELECT jsonb_agg(jsonb_build_object('player', 'composed:ADVANCER', 'name', 'ADVANCER', 'seed', k))
FROM generate_series(1, 8) k), jsonb_build_object(), 1, 1, 1, 1, 0, at, 160, -2, '20,19,18/17,16,15/14,13,12 -', at, at + interval '8 minutes', ARRAY[3, 2, 1], ARRAY[0]
FROM (SELECT n, now() - {days} * interval '1 day' * (1 - n::float / {matches}) AS at
FROM generate_series(1, {matches}) n) one;

-- fill match_seats
INSERT INTO match_seats (match_id, seat, person_id, strategy, member, replaced_at)
SELECT m.id, seat, CASE WHEN seat < 2 THEN 1 + (m.id * 2 + seat * (1 + m.id / {persons})) % {persons} END, CASE WHEN seat = 2 OR m.id % 20 = 0 AND seat = 1 THEN strategies[1 + m.id % {count}] END, CASE WHEN seat = 2 OR m.id % 20 = 0 AND seat = 1 THEN 0 END, CASE WHEN m.id % 20 = 0 AND seat = 1 THEN m.ended_at END
FROM matches m
CROSS JOIN generate_series(0, 2) seat
CROSS JOIN (SELECT $1::text[] AS strategies) given;

-- fill match_events
INSERT INTO match_events (match_id, seat, at, kind, details)
SELECT match_id, seat, m.created_at, 'seated', jsonb_build_object('waited_ms', (random() * 20000)::int)
FROM match_seats
JOIN matches m ON m.id = match_id
WHERE person_id IS NOT NULL;

-- fill questionnaire_sheets
INSERT INTO questionnaire_sheets (version_id, person_id, match_id, seats, opened_at, closes_at, finished_at, skipped_at)
SELECT (SELECT id
FROM questionnaire_versions
WHERE purpose = 'after_match' AND state = 'published'), person_id, match_id, '[1, 2]', m.ended_at, m.ended_at + interval '1 day', CASE WHEN match_id % 9 > 0 THEN m.ended_at + interval '1 minute' END, CASE WHEN match_id % 9 = 0 THEN m.ended_at + interval '9 s' END
FROM match_seats
JOIN matches m ON m.id = match_id
WHERE person_id IS NOT NULL
ON CONFLICT DO NOTHING;

-- fill judgements
-- Persons differ in ability and strategies in difficulty, both spread evenly over three logits.
INSERT INTO judgements (at, match_id, game, person_id, seat, strategy, verdict, sureness, challenge, enjoyment)
SELECT m.ended_at + interval '1 minute', m.id, m.game, own.person_id, other.seat, CASE WHEN other.person_id IS NULL THEN other.strategy END, CASE WHEN random() < 0.08 THEN 'cannot tell' WHEN random() < 1 / (1 + exp(-3.0 * (own.person_id % 97) / 97 + CASE WHEN other.person_id IS NULL THEN 3.0 * (m.id % {count}) / {count} ELSE 3.2 END)) THEN 'artificial' ELSE 'human' END, 5 * (random() * 20)::int, (ARRAY['not', 'somewhat', 'overstraining', 'unsure'])[1 + (random() * 3)::int], 1 + (random() * 4)::int
FROM matches m
JOIN match_seats own ON own.match_id = m.id AND own.person_id IS NOT NULL
JOIN match_seats other ON other.match_id = m.id AND other.seat <> own.seat
ORDER BY m.id
ON CONFLICT DO NOTHING;

-- fill answers
-- What the judgements come from, and some words about every fourth match.
INSERT INTO answers (sheet_id, item, seat, value, shown_ms, at)
SELECT q.id, item, CASE WHEN item <> 'enjoyment' THEN j.seat END, CASE item WHEN 'verdict' THEN to_jsonb(replace(j.verdict, ' ', '_')) WHEN 'sureness' THEN to_jsonb(j.sureness) WHEN 'challenge' THEN to_jsonb(replace(j.challenge, 'not', 'not_challenging')) WHEN 'aim' THEN to_jsonb('Wanted to be first, in match ' || j.match_id) ELSE to_jsonb((ARRAY['not_at_all', 'rather_not', 'neutral', 'rather', 'very'])[j.enjoyment]) END, 3000, j.at
FROM judgements j
JOIN questionnaire_sheets q ON q.match_id = j.match_id AND q.person_id = j.person_id
CROSS JOIN unnest(ARRAY['verdict', 'sureness', 'challenge', 'enjoyment', 'aim']) item
WHERE item IN ('verdict', 'sureness', 'challenge') OR j.seat = 2 AND (item = 'enjoyment' OR j.match_id % 4 = 0);

-- fill questionnaire_sheets
INSERT INTO questionnaire_sheets (version_id, person_id, match_id, seats, opened_at)
SELECT (SELECT id
FROM questionnaire_versions
WHERE purpose = 'profile' AND state = 'published'), id, NULL, '[]', created_at
FROM persons;

-- fill answers
INSERT INTO answers (sheet_id, item, seat, value, shown_ms, at)
SELECT q.id, attribute.item, NULL, to_jsonb(options[1 + q.person_id % array_length(options, 1)]), 2000, q.opened_at
FROM questionnaire_sheets q
CROSS JOIN (VALUES ('age', ARRAY['under_18', 'from_18', 'from_25', 'from_35', 'from_45', 'from_55', 'from_65']), ('gender', ARRAY['female', 'male', 'diverse']), ('country', ARRAY['DE', 'AT', 'CH', 'GB', 'US'])) AS attribute(item, options)
WHERE q.match_id IS NULL;
