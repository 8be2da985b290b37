-- A rule base that took over for a person: back then it signed with its whole script, and stood so in the panel.

INSERT INTO matches (created_at, software, game, layout, dice_seed, commitment, panel, thinking, clock_ms, ask_ms, grace_ms,
    proposal_ms, check_share, starts_at, ply, to_act, position, turn_at, due_at, due, ended_at, scores, winners)
VALUES ('2026-11-12 18:00:00+00', '0.0.9', 'jostle', 'standard', '\xd73bad8f2df0fdcab74d859629e5d7268841c13cf50ae92fbebfa4615b194bb4', '8faaaa1edef409ac0fddb0efd2de0a30849eab56456afc80a573dc5e8ce16326',
    jsonb_build_array(
        jsonb_build_object('strategy', E'% keeps to itself\nchoose(Piece) :- movable(Piece).\n', 'seed', '00000000000000cc'),
        jsonb_build_object('strategy', 'ADVANCER', 'seed', '00000000000000dd')),
    '{"kinds": {"roll": {"mean": 7.5, "spread": 0.55}, "single": {"mean": 7.6, "spread": 0.5}, "choice": {"mean": 8.1, "spread": 0.6}}, "pace": 1.0, "observations": 0}',
    60000, 20000, 30000, 1500, 1.0, '2026-11-12 18:00:04+00', 182, -2, '21,25,20/28,29,30/27,24,26 -',
    '2026-11-12 18:40:00+00', NULL, NULL, '2026-11-12 18:40:00+00', '{0,12,3}', '{1}');

INSERT INTO match_seats (match_id, seat, person_id, strategy, member, replaced_at, gone_at) VALUES
    (2, 0, 1, NULL, NULL, NULL, NULL),
    (2, 1, NULL, 'ADVANCER', 1, NULL, NULL),
    (2, 2, 2, E'% keeps to itself\nchoose(Piece) :- movable(Piece).\n', 0, '2026-11-12 18:19:30+00', '2026-11-12 18:18:00+00');

INSERT INTO match_moves (match_id, ply, seat, move, source, ms, at)
SELECT 2, n - 1, seat, move, CASE WHEN seat = -1 THEN 'chance' WHEN seat = 1 THEN 'server' ELSE 'person' END,
       CASE seat WHEN -1 THEN 0 ELSE 1500 + 10 * n END, timestamptz '2026-11-12 18:00:04+00' + n * interval '9 seconds'
FROM unnest(
    ARRAY['4', 'p0', '6', 'again', '1', 'p3', '2', 'p6', '2', 'p1', '5', 'p3', '4', 'p7', '5', 'p2', '5', 'p3', '1', 'p8', '6', 'again', '2', 'p1', '2', 'p3', '1', 'p6', '4', 'p0', '2', 'p4', '5', 'p8', '3', 'p2', '1', 'p4', '4', 'p6', '4', 'p2', '4', 'p4', '4', 'p8', '5', 'p1', '6', 'again', '2', 'p4', '4', 'p7', '5', 'p2', '3', 'p4', '5', 'p6', '3', 'p2', '4', 'p4', '3', 'p6', '6', 'again', '1', 'p2', '1', 'p4', '3', 'p8', '6', 'again', '4', 'p0', '6', 'keep', 'p4', '4', 'p7', '3', 'p2', '1', 'p5', '4', 'p6', '2', 'p0', '1', 'p5', '2', 'p7', '2', 'p2', '3', 'p5', '4', 'p8', '4', 'p0', '2', 'p5', '5', 'p6', '6', 'keep', 'p1', '6', 'again', '5', 'p5', '6', 'again', '4', 'p7', '2', 'p2', '3', 'p5', '6', 'keep', 'p7', '3', 'p2', '6', 'keep', 'pass', '3', 'p8', '5', 'p2', '5', 'pass', '4', 'p8', '3', 'p2', '2', 'pass', '3', 'p7', '1', 'p2', '5', 'p5', '1', 'p6', '1', 'p2', '2', 'pass', '4', 'p6', '6', 'again', '6', 'p2', '2', 'pass', '4', 'p6', '5', 'p1', '3', 'pass', '3', 'p6', '2', 'p2', '5', 'p4', '6', 'again', '3', 'p8', '1', 'p2', '4', 'p3'],
    ARRAY[-1, 0, -1, 1, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 0, -1, 1, -1, 2, -1, 0, -1, 0, -1, 1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, 0, -1, 1, -1, 1, -1, 2, -1, 2, -1, 0, -1, 1, -1, 2, 2, -1, 0, -1, 1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 0, -1, 1, -1, 2, -1, 2, -1, 0, -1, 1]
) WITH ORDINALITY AS moves (move, seat, n);

-- Another one that was deleted afterwards: back then that was possible for those that had only stood in.

INSERT INTO matches (id, created_at, software, game, layout, dice_seed, commitment, panel, thinking, clock_ms, ask_ms, grace_ms,
    proposal_ms, check_share, starts_at, ply, to_act, position, turn_at, due_at, due, ended_at, scores, winners) OVERRIDING SYSTEM VALUE
SELECT 900, created_at, software, game, layout, dice_seed, commitment,
    jsonb_set(panel, '{0,strategy}', to_jsonb(E'% Gone rules\nchoose(Piece) :- movable(Piece), !.\n'::text)), thinking, clock_ms, ask_ms,
    grace_ms, proposal_ms, check_share, starts_at, ply, to_act, position, turn_at, due_at, due, ended_at, scores, winners
FROM matches WHERE id = 2;

INSERT INTO match_seats (match_id, seat, person_id, strategy, member, replaced_at, gone_at)
SELECT 900, seat, person_id, CASE member WHEN 0 THEN E'% Gone rules\nchoose(Piece) :- movable(Piece), !.\n' ELSE strategy END, member,
    replaced_at, gone_at
FROM match_seats WHERE match_id = 2;

INSERT INTO match_moves (match_id, ply, seat, move, source, ms, at)
SELECT 900, ply, seat, move, source, ms, at FROM match_moves WHERE match_id = 2;
