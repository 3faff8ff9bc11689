-- Schema versions that the versions of a chunk had are as old as the first version that still has them, as in a merge (see
-- sql/derive/unreferenced.sql).
UPDATE dataset_schema_versions AS stored
SET created_at = first_version.created_at, dataset_uuid = first_version.dataset_uuid
FROM (
    SELECT DISTINCT schema_version_uuid AS uuid
    FROM leaving_versions AS leaving
    WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
) AS touched
CROSS JOIN LATERAL (
    SELECT created_at, dataset_uuid
    FROM dataset_versions
    WHERE dataset_schema_version_uuid = touched.uuid
    ORDER BY first_event NULLS FIRST, created_at
    LIMIT 1
) AS first_version
WHERE stored.uuid = touched.uuid
  AND (stored.created_at, stored.dataset_uuid) IS DISTINCT FROM (first_version.created_at, first_version.dataset_uuid)
