-- Keeps a document that was refused; one that is there already stays as it is. Without a conflict target, so that no right
-- to read is needed.
INSERT INTO quarantine (reason, path, raw, source)
VALUES (%(reason)s, %(path)s, %(raw)b, %(source)s)
ON CONFLICT DO NOTHING
