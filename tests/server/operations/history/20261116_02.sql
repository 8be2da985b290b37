-- A whole match of two people and a program, with dice that follow from its seed, and all that surrounds live play.

INSERT INTO matches (created_at, software, game, layout, dice_seed, commitment, panel, thinking, clock_ms, ask_ms, grace_ms,
    proposal_ms, check_share, starts_at, ply, to_act, position, turn_at, due_at, due, ended_at, scores, winners)
VALUES ('2026-11-05 18:00:00+00', '0.0.2', 'jostle', 'standard',
    '\x72ffe5f8ec043976b334bdf3453b70a0d18eee66f139e5314f4a5b43eeb04e87',
    'ff89fc13908cffd0ba46742b136ac44b499cec0a03abdd143d5671c5aa97b2e5',
    '[{"strategy": "PALS", "seed": "00000000000000aa"}, {"strategy": "ADVANCER", "seed": "00000000000000bb"}]',
    '{"kinds": {"roll": {"mean": 7.5, "spread": 0.55}, "single": {"mean": 7.6, "spread": 0.5}, "choice": {"mean": 8.1, "spread": 0.6}}, "pace": 1.0, "observations": 0}',
    60000, 20000, 30000, 1500, 0.1, '2026-11-05 18:00:04+00', 126, -2, '29,26,9/27,24,20/28,30,7 -',
    '2026-11-05 18:20:00+00', NULL, NULL, '2026-11-05 18:20:00+00', '{5,2,8}', '{2}');

INSERT INTO match_seats (match_id, seat, person_id, strategy, member, replaced_at, gone_at) VALUES
    (1, 0, 1, NULL, NULL, NULL, NULL),
    (1, 1, NULL, 'PALS', 0, NULL, NULL),
    (1, 2, 2, 'ADVANCER', 1, '2026-11-05 18:19:30+00', '2026-11-05 18:18:00+00');

INSERT INTO match_moves (match_id, ply, seat, move, source, ms, at)
SELECT 1, n - 1, seat, move, CASE seat WHEN -1 THEN 'chance' WHEN 1 THEN 'proposal' ELSE 'person' END,
       CASE seat WHEN -1 THEN 0 ELSE 1500 + 10 * n END, timestamptz '2026-11-05 18:00:04+00' + n * interval '9 seconds'
FROM unnest(
    string_to_array('6 again 1 p0 4 p3 6 again 4 p6 2 p0 1 p4 4 p6 2 p0 6 again 5 p5 3 p6 6 again 4 p0 3 p4 2 p6 5 p0 6 again 3 p3 2 p6 4 p0 5 p4 4 p6 6 again 3 p1 5 p5 2 p6 3 p1 5 p3 4 p7 2 p1 1 p5 4 p7 5 p1 4 p5 6 again 2 p7 4 p1 5 p3 4 p7 5 p1 6 again 3 p5 5 p7 4 p2 6 again 2 p4 2 p7 6 again 1 p2 6 again 5 p3 3 p6 4 p0 2 p4 6 again 5 p8 1 p1 4 p5 5 p7 4 p2 3 p4 3 p8', ' '),
    string_to_array('-1 0 -1 0 -1 1 -1 2 -1 2 -1 0 -1 1 -1 2 -1 0 -1 1 -1 1 -1 2 -1 0 -1 0 -1 1 -1 2 -1 0 -1 1 -1 1 -1 2 -1 0 -1 1 -1 2 -1 0 -1 0 -1 1 -1 2 -1 0 -1 1 -1 2 -1 0 -1 1 -1 2 -1 0 -1 1 -1 2 -1 2 -1 0 -1 1 -1 2 -1 0 -1 1 -1 1 -1 2 -1 0 -1 1 -1 1 -1 2 -1 0 -1 0 -1 1 -1 1 -1 2 -1 0 -1 1 -1 2 -1 2 -1 0 -1 1 -1 2 -1 0 -1 1 -1 2', ' ')::smallint[]
) WITH ORDINALITY AS moves (move, seat, n);

INSERT INTO match_events (match_id, seat, at, kind, details) VALUES
    (1, 0, '2026-11-05 18:00:00+00', 'seated', '{"waited_ms": 4200}'),
    (1, 2, '2026-11-05 18:18:00+00', 'gone', '{}'),
    (1, 2, '2026-11-05 18:19:30+00', 'replaced', '{"strategy": "ADVANCER"}');

INSERT INTO interaction_batches (match_id, person_id, number, at, events, data)
VALUES (1, 1, 0, '2026-11-05 18:00:30+00', 3, '\x789c8b8e36d051cacd2f4b55d23134d0313288d58936018a24e76426672be9181be89880842c8142d9a9954a3a4a864ab1b1006a1b0d67');

INSERT INTO lobby_places (person_id, since, due_at, beat_at)
VALUES (3, '2026-11-10 07:00:00+00', '2026-11-10 07:01:00+00', '2026-11-10 07:00:10+00');
INSERT INTO live_processes (id, beat_at) VALUES ('old-process', '2026-11-05 18:19:59+00');
INSERT INTO seat_connections (match_id, seat, process_id) VALUES (1, 0, 'old-process');
INSERT INTO thinking_models (fitted_at, parameters) VALUES ('2026-11-06 03:00:00+00',
    '{"kinds": {"roll": {"mean": 7.4, "spread": 0.5}, "single": {"mean": 7.6, "spread": 0.5}, "choice": {"mean": 8.0, "spread": 0.6}}, "pace": 1.0, "observations": 40}');
