-- One mail that waits, and one that was given up.

INSERT INTO mails (account_id, occasion, recipient, subject, body, created_at, due_at, attempts, error) VALUES
    (1, 'reset', 'amber@example.org', 'Choose a new password', E'Here:\nhttps://grintu.example/x\n', '2026-11-10 09:00:00+00', '2999-01-01 00:00:00+00', 2, 'ConnectionRefusedError'),
    (2, 'retention', 'björn@example.org', 'Ihr Konto wird gelöscht', E'Bald.\n', '2026-11-08 03:15:00+00', NULL, 9, '550 unknown');
