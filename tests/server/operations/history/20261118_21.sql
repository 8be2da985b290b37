-- A small tournament in the middle of its first round.
INSERT INTO tournaments (name, game, entrants, form, rounds, precision, seed, created_at, created_by, status, public, round, turn)
VALUES ('Spring', 'tic-tac-toe:standard', '["composed:RANDOMIZER", "composed:GREEDY"]', 'round-robin', 2, 0, 'spring', '2026-11-18 12:00+00', 'brisk-otter-1234', 'paused', true, 0, 1);
INSERT INTO tournament_challenges (tournament_id, number, round, entrants, world, sums, matches, played_at)
VALUES (1, 1, 0, '[0, 1]', 0, '[100.0, 100.0]', '[{"moves": ["a1", "b2", "a2", "b1", "a3"], "goals": [100.0, 0.0], "ending": ""}, {"moves": ["a1", "b2", "a2", "b1", "a3"], "goals": [100.0, 0.0], "ending": ""}]', '2026-11-18 12:01+00');
