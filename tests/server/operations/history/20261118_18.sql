INSERT INTO security_events (hour, kind, subject, times, last_at)
VALUES ('2026-11-18 10:00+00', 'login.failed', 'amber-otter-0001', 3, '2026-11-18 10:20+00');
INSERT INTO login_marks (account_id, mark, kind, last_at) VALUES (1, '\x00ff', 'browser', '2026-11-18 10:20+00');
UPDATE account_sessions SET seen_at = created_at, proved_at = created_at, device = 'Firefox, Linux' WHERE id = 1;
