-- Keeps that a script was run.
INSERT INTO schema_scripts (path, digest, applied_at)
VALUES (%(path)s, %(digest)s, now())
ON CONFLICT (path) DO UPDATE SET digest = excluded.digest, applied_at = excluded.applied_at
