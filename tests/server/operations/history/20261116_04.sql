-- The text about interaction logs came with this step (the one about play data was the study's own); somebody agrees.

INSERT INTO consents (person_id, text_id, given, at)
SELECT 1, id, true, '2026-11-09 08:00:00+00' FROM consent_texts WHERE kind = 'interaction_log';
