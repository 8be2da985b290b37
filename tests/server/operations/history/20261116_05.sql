-- Jobs that wait, that failed and that were done.

INSERT INTO pgqueuer (priority, execute_after, status, entrypoint, payload, attempts) VALUES
    (0, '2999-01-01 00:00:00+00', 'queued', 'rounds.step', '{"round": 1}', 0),
    (5, '2026-11-09 00:00:00+00', 'failed', 'questionnaires.close', 'null', 3);
INSERT INTO pgqueuer_log (job_id, status, priority, entrypoint, traceback) VALUES
    (2, 'exception', 5, 'questionnaires.close', '{"exception_message": "out of patience"}');
INSERT INTO pgqueuer_schedules (expression, entrypoint, last_run) VALUES ('15 3 * * *', 'retention', '2026-11-09 03:15:00+00');
INSERT INTO pgqueuer_statistics (count, priority, status, entrypoint) VALUES (12, 0, 'successful', 'rounds.step');
INSERT INTO worker_heartbeats (name, seen_at) VALUES ('schedule', '2026-11-09 03:15:00+00');
