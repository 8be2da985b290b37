INSERT INTO rule_bases (name, script, author, created_at, playing, trial)
VALUES ('Old rules', E'% keeps to itself\nchoose(Piece) :- movable(Piece).\n', 'calm-otter-1003', '2026-11-10 08:00:00+00', false, '{"decisions": 30, "lost": 1, "faults": ["no answer"], "scores": [3, 5, 2]}');
