-- Three games: one of two seats, one on a board that somebody added, and one in which a seat has chosen and waits for the other.

INSERT INTO persons (pseudonym, created_at) VALUES
    ('early-lynx-1006', '2026-11-18 08:00:00+00'),
    ('fair-newt-1007', '2026-11-18 08:00:00+00');

INSERT INTO game_sources (reference, kind, source, title, author, created_at)
VALUES ('jostle:939ecfd533abbcec4f16c777887793a3', 'jostle', '{"name": "short way", "fields": 20, "goals": [1, 2, 3], "switches": [[4, 9]], "minus_three": []}
', 'The short way', 'calm-otter-1003', '2026-11-18 08:30:00+00');

INSERT INTO matches (created_at, software, game, dice_seed, commitment, secret, panel, programs_think, thinking, clock_ms, ask_ms,
    grace_ms, proposal_ms, check_share, starts_at, ply, to_act, position, turn_at, due_at, due, due_seat, ended_at, scores, winners)
VALUES
    ('2026-11-18 09:00:00+00', '0.1.0', 'tic-tac-toe:standard', '\xd73bad8f2df0fdcab74d859629e5d7268841c13cf50ae92fbebfa4615b194bb4', '8faaaa1edef409ac0fddb0efd2de0a30849eab56456afc80a573dc5e8ce16326', '\xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
     '[{"player": "composed:Careful RANDOMIZER", "name": "Careful RANDOMIZER", "seed": "00000000000000ee"}]', 'server',
     '{"kinds": {"roll": {"mean": 7.5, "spread": 0.55}, "single": {"mean": 7.6, "spread": 0.5}, "choice": {"mean": 8.1, "spread": 0.6}}, "pace": 1.0, "observations": 0}',
     60000, 20000, 30000, 1500, 0.1, '2026-11-18 09:00:00+00', 8, -2, 'xoo/.ox/xox', '2026-11-18 09:00:00+00',
     NULL, NULL, NULL, '2026-11-18 09:05:00+00', '{0,1}', '{1}'),
    ('2026-11-18 10:00:00+00', '0.1.0', 'jostle:939ecfd533abbcec4f16c777887793a3', '\xd3867a73459516670a62d92709c35003ce21b64c13967258187ca4f5fdf6f6a5', '9704f4bb291b3b760e2272c04994fc1130a3483813a1935fb2124b1d13bc7060', '\xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
     '[{"player": "composed:PALS", "name": "PALS", "seed": "00000000000000ff"}, {"player": "composed:ADVANCER", "name": "ADVANCER", "seed": "0000000000000011"}]', 'browsers',
     '{"kinds": {"roll": {"mean": 7.5, "spread": 0.55}, "single": {"mean": 7.6, "spread": 0.5}, "choice": {"mean": 8.1, "spread": 0.6}}, "pace": 1.0, "observations": 0}',
     60000, 20000, 30000, 1500, 0.1, '2026-11-18 10:00:00+00', 106, -2, '14,17,16/13,19,18/15,11,10 -', '2026-11-18 10:00:00+00',
     NULL, NULL, NULL, '2026-11-18 10:20:00+00', '{1,5,0}', '{1}'),
    ('2026-11-18 11:00:00+00', '0.1.0', 'tricks:standard', '\x2ecb9974a677625fe56d3c94761e885a8677aed48efba6c1a163dbb30124a5a4', '6ac49b659ea83b9f3521d69b86fba7628bc8d7f8a2d5b2bd776d097647e288ee', '\xcccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc',
     '[]', 'server',
     '{"kinds": {"roll": {"mean": 7.5, "spread": 0.55}, "single": {"mean": 7.6, "spread": 0.5}, "choice": {"mean": 8.1, "spread": 0.6}}, "pace": 1.0, "observations": 0}',
     60000, 20000, 30000, 1500, 0.1, '2026-11-18 11:00:00+00', 1, 0, '5,7,8,10,12/1,2,3,9,11 -', '2026-11-18 11:00:00+00',
     '2999-01-01 00:00:00+00', 'clock', 0, NULL, NULL, NULL);

INSERT INTO match_seats (match_id, seat, person_id, strategy, member) VALUES
    (3, 0, 1, NULL, NULL),
    (3, 1, NULL, 'Careful RANDOMIZER', 0),
    (4, 0, NULL, 'PALS', 0),
    (4, 1, NULL, 'ADVANCER', 1),
    (4, 2, 1, NULL, NULL),
    (5, 0, (SELECT id FROM persons WHERE pseudonym = 'early-lynx-1006'), NULL, NULL),
    (5, 1, (SELECT id FROM persons WHERE pseudonym = 'fair-newt-1007'), NULL, NULL);

INSERT INTO match_moves (match_id, ply, seat, move, source, ms, at)
SELECT 3, n - 1, seat, move, CASE WHEN seat = -1 THEN 'chance' WHEN seat = 1 THEN 'server' ELSE 'person' END,
       CASE seat WHEN -1 THEN 0 ELSE 1500 + 10 * n END, timestamptz '2026-11-18 09:00:00+00' + n * interval '9 seconds'
FROM unnest(
    ARRAY['c3', 'b1', 'c2', 'c1', 'a1', 'b2', 'a3', 'b3'],
    ARRAY[0, 1, 0, 1, 0, 1, 0, 1]
) WITH ORDINALITY AS moves (move, seat, n);

INSERT INTO match_moves (match_id, ply, seat, move, source, ms, at)
SELECT 4, n - 1, seat, move, CASE WHEN seat = -1 THEN 'chance' WHEN seat = 0 THEN 'server' ELSE 'person' END,
       CASE seat WHEN -1 THEN 0 ELSE 1500 + 10 * n END, timestamptz '2026-11-18 10:00:00+00' + n * interval '9 seconds'
FROM unnest(
    ARRAY['2', 'p0', '4', 'p3', '5', 'p8', '3', 'p1', '2', 'p3', '4', 'p6', '6', 'again', '4', 'p2', '2', 'p3', '3', 'p8', '5', 'p0', '3', 'p3', '3', 'p7', '4', 'p1', '2', 'p3', '5', 'p7', '4', 'p2', '2', 'p3', '2', 'p6', '3', 'p0', '4', 'p3', '5', 'p6', '5', 'p0', '3', 'p4', '3', 'p7', '2', 'p0', '5', 'p4', '3', 'p8', '6', 'again', '6', 'p0', '1', 'p4', '2', 'p8', '1', 'p1', '3', 'p4', '4', 'p6', '6', 'again', '1', 'p2', '6', 'keep', 'p4', '2', 'p7', '3', 'p1', '6', 'again', '5', 'p5', '1', 'p8', '1', 'p1', '5', 'p5', '4', 'p6', '6', 'again', '6', 'p1', '3', 'p4', '6', 'keep', 'p6', '3', 'p2', '3', 'p5'],
    ARRAY[-1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 0, -1, 1, 1, -1, 2, -1, 0, -1, 1, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 0, -1, 1, -1, 2, 2, -1, 0, -1, 1]
) WITH ORDINALITY AS moves (move, seat, n);

INSERT INTO match_moves (match_id, ply, seat, move, source, ms, at)
SELECT 5, n - 1, seat, move, CASE WHEN seat = -1 THEN 'chance' WHEN seat = 9 THEN 'server' ELSE 'person' END,
       CASE seat WHEN -1 THEN 0 ELSE 1500 + 10 * n END, timestamptz '2026-11-18 11:00:00+00' + n * interval '9 seconds'
FROM unnest(
    ARRAY['deal 5,7,8,10,12/1,2,3,9,11'],
    ARRAY[-1]
) WITH ORDINALITY AS moves (move, seat, n);

INSERT INTO sealed_moves (match_id, ply, seat, move, source, ms, at)
VALUES (5, 1, 1, '1', 'person', 4200, '2026-11-18 11:00:05+00');

INSERT INTO match_decisions (match_id, ply, seat, player, decision, at)
VALUES (3, 1, 1, 'Careful RANDOMIZER', '{"move": "b1", "values": [], "decided_by": "RANDOMIZER", "explanation": "Careful \u2013 a1 and b1 and c1 and a2 and b2 and c2 and a3 and b3: gives no win away. RANDOMIZER \u2013 a1: drew lot 2; b1: drew lot 3; c1: drew lot 7; a2: drew lot 4; b2: drew lot 1; c2: drew lot 5; a3: drew lot 6; b3: drew lot 8. So it is b2, decided by RANDOMIZER.", "narrowings": [{"element": "Careful", "tied": ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3"], "kept": ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3"], "words": "Careful \u2013 a1 and b1 and c1 and a2 and b2 and c2 and a3 and b3: gives no win away."}, {"element": "RANDOMIZER", "tied": ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3"], "kept": ["b2"], "words": "RANDOMIZER \u2013 a1: drew lot 2; b1: drew lot 3; c1: drew lot 7; a2: drew lot 4; b2: drew lot 1; c2: drew lot 5; a3: drew lot 6; b3: drew lot 8."}], "fault": null}', '2026-11-18 09:00:10+00');

INSERT INTO judgements (at, match_id, game, person_id, seat, strategy, verdict, sureness, challenge, enjoyment, marked_ply) VALUES
    ('2026-11-18 09:06:00+00', 3, 'tic-tac-toe:standard', 1, 1, 'Careful RANDOMIZER', 'human', 60, 'not', 3, NULL),
    ('2026-11-18 10:21:00+00', 4, 'jostle:939ecfd533abbcec4f16c777887793a3', 1, 0, 'PALS', 'artificial', NULL, 'somewhat', 4, 3);

INSERT INTO thinking_models (game, fitted_at, parameters) VALUES ('tic-tac-toe:standard', '2026-11-18 12:00:00+00',
    '{"kinds": {"choice": {"mean": 7.9, "spread": 0.6}}, "pace": 1.0, "observations": 12}');

INSERT INTO lobby_places (person_id, game, company, since, due_at, beat_at)
VALUES (3, 'tic-tac-toe:standard', 2, '2026-11-18 07:00:00+00', '2026-11-18 07:01:00+00', '2026-11-18 07:00:10+00');
