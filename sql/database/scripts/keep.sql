-- Keeps that scripts were run.
INSERT INTO schema_scripts (path, digest, applied_at)
SELECT path, digest, now() FROM unnest(%(paths)s::text[], %(digests)s::text[]) AS run (path, digest)
ON CONFLICT (path) DO UPDATE SET digest = excluded.digest, applied_at = excluded.applied_at
