INSERT INTO exports (account_id, wanted, by_mail, asked_at, step, steps_done, steps, rows, ready_at, bytes)
VALUES (1, '{"what": ["judgements"], "form": "csv", "first": null, "last": null, "books": false}', false,
        '2026-11-18 18:00+00', '', 2, 2, 0, '2026-11-18 18:01+00', 2);
INSERT INTO export_pieces (export_id, number, data) VALUES (1, 0, 'PK');
