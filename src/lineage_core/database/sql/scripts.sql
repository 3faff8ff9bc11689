-- name: scripts/grants_of_views
-- What others than the owner may do to the views of these names, as statements that grant it again.
SELECT format(
    'GRANT %%s ON %%s TO %%s%%s',
    granted.privilege_type,
    view.oid::regclass,
    CASE granted.grantee WHEN 0 THEN 'PUBLIC' ELSE granted.grantee::regrole::text END,
    CASE WHEN granted.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
)
FROM pg_class AS view
CROSS JOIN LATERAL aclexplode(view.relacl) AS granted
WHERE view.relnamespace = current_schema()::regnamespace
  AND view.relkind IN ('v', 'm')
  AND view.relname = ANY(%(names)s)
  AND granted.grantee <> view.relowner

-- name: scripts/keep
-- Keeps that scripts were run.
INSERT INTO schema_scripts (path, digest, applied_at)
SELECT path, digest, now() FROM unnest(%(paths)s::text[], %(digests)s::text[]) AS run (path, digest)
ON CONFLICT (path) DO UPDATE SET digest = excluded.digest, applied_at = excluded.applied_at

-- name: scripts/forget
-- Forgets the scripts of which there is no file any more.
DELETE FROM schema_scripts WHERE path = ANY(%(paths)s)

-- name: scripts/digests
-- The digest of each script that the store has.
SELECT path, digest FROM schema_scripts

-- name: scripts/functions_named
-- The functions of a name in the first schema of the search path, as SQL names each of them.
SELECT oid::regprocedure::text
FROM pg_proc
WHERE proname = %(name)s AND pronamespace = current_schema()::regnamespace
