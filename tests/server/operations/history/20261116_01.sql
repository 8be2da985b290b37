-- What an installation of the very first schema held: a study with a consent text of its own, and people in it.
-- Every password is "correct horse battery", every session's token is "old-token-" and the account's number.

INSERT INTO persons (pseudonym, created_at) VALUES
    ('amber-fox-1001', '2026-11-02 08:00:00+00'),
    ('blue-heron-1002', '2026-11-02 08:05:00.123456+00'),
    ('calm-otter-1003', '2026-11-03 09:00:00+00'),
    ('dusky-owl-1004', '2026-11-03 09:30:00+00'),
    ('gone-person-1005', '2026-11-03 10:00:00+00');  -- has deleted the account

INSERT INTO accounts (person_id, email, password_hash, role, language, created_at, confirmed_at, last_login_at)
SELECT person_id, email, '$argon2id$v=19$m=8,t=1,p=1$JkZ8fP6b+jgoDkebcFkANQ$Fhi948bog9UZgclNgoWAxhXi9qHBtxTHokRsYKk1yBE',
       role, language, '2026-11-02 08:00:00+00', confirmed_at, last_login_at
FROM (VALUES
    (1, 'amber@example.org', 'proband', 'en', timestamptz '2026-11-02 08:10:00+00', timestamptz '2026-11-09 18:00:00+00'),
    (2, 'björn@example.org', 'proband', 'de', '2026-11-02 08:11:00+00', NULL),
    (3, 'calm@example.org', 'researcher', 'en', '2026-11-03 09:01:00+00', '2026-11-10 07:00:00+00'),
    (4, 'dusky@example.org', 'admin', 'en', '2026-11-03 09:31:00+00', '2026-11-10 07:30:00+00')
) AS old (person_id, email, role, language, confirmed_at, last_login_at);

INSERT INTO account_sessions (account_id, token_hash, created_at, expires_at)
SELECT id, sha256(convert_to('old-token-' || id, 'UTF8')), '2026-11-09 18:00:00+00', '2999-01-01 00:00:00+00'
FROM accounts;

INSERT INTO audit_log (at, actor, action, target, details) VALUES
    ('2026-11-03 09:40:00+00', 'command line', 'account.create', 'dusky-owl-1004', '{"role": "admin"}'),
    ('2026-11-04 10:00:00+00', 'dusky-owl-1004', 'account.role', 'calm-otter-1003', '{"to": "researcher", "from": "proband"}');

INSERT INTO rate_limits (bucket, permits, updated_at) VALUES ('login-address:5d41402abc4b2a76', 9.25, '2026-11-10 07:30:00+00');

INSERT INTO consent_texts (kind, version, texts, published_at) VALUES
    ('play_data', 1, '{"en": {"title": "Taking part", "body": "Our first text."}, "de": {"title": "Teilnahme", "body": "Unser erster Text."}}', '2026-11-01 00:00:00+00'),
    ('play_data', 2, '{"en": {"title": "Taking part", "body": "Our second text."}, "de": {"title": "Teilnahme", "body": "Unser zweiter Text, mit Umlauten: äöüß."}}', '2026-11-02 00:00:00+00');

INSERT INTO consents (person_id, text_id, given, at) VALUES
    (1, 1, true, '2026-11-01 12:00:00+00'),
    (1, 2, true, '2026-11-02 08:12:00+00'),
    (2, 2, true, '2026-11-02 08:13:00+00'),
    (2, 2, false, '2026-11-05 20:00:00+00'),  -- withdrawn
    (3, 1, true, '2026-11-01 12:30:00+00'),  -- to the first text only
    (5, 2, true, '2026-11-03 10:02:00+00');

INSERT INTO study_settings (name, value, changed_by, changed_at) VALUES
    ('panel_size', '7', 'dusky-owl-1004', '2026-11-03 11:00:00+00'),
    ('panel_size', '6', 'dusky-owl-1004', '2026-11-04 11:00:00+00'),
    ('move_clock', '75', 'dusky-owl-1004', '2026-11-04 11:05:00+00');
