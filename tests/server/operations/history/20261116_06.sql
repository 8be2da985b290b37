INSERT INTO retention_notices (account_id, sent_at) VALUES (2, '2026-11-09 03:15:00+00');
