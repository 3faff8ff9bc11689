-- After the last range, schema version by schema version: one that no dataset version has goes, as the migration, or a crash
-- before it, has left it behind; the others date from the first version that has them, and are its dataset's. Where names made for
-- it give two datasets one schema version, the columns of one that no longer has it go. Answers with the last key that is done, or
-- null, and how many were removed.

-- A worker of a migration that was cancelled may refer to one at this moment. The lock waits for it, and the next statement
-- sees what it did.
SELECT count(*)
FROM (
    SELECT stored.uuid
    FROM (
        SELECT uuid
        FROM dataset_schema_versions
        WHERE %(after)s::uuid IS NULL OR uuid > %(after)s::uuid
        ORDER BY uuid
        LIMIT %(rows)s
    ) AS listed
    JOIN dataset_schema_versions AS stored USING (uuid)
    WHERE NOT EXISTS (SELECT FROM dataset_versions WHERE dataset_schema_version_uuid = stored.uuid)
    FOR UPDATE OF stored
) AS unreferenced;

WITH chunk AS MATERIALIZED (
    SELECT stored.uuid, first_version.created_at AS first_at, first_version.dataset_uuid
    FROM (
        SELECT uuid
        FROM dataset_schema_versions
        WHERE %(after)s::uuid IS NULL OR uuid > %(after)s::uuid
        ORDER BY uuid
        LIMIT %(rows)s
    ) AS stored
    LEFT JOIN LATERAL (
        SELECT created_at, dataset_uuid
        FROM dataset_versions
        WHERE dataset_schema_version_uuid = stored.uuid
        ORDER BY first_event NULLS FIRST, created_at
        LIMIT 1
    ) AS first_version ON true
),
removed AS (
    DELETE FROM dataset_schema_versions AS stored
    USING chunk
    WHERE stored.uuid = chunk.uuid AND chunk.first_at IS NULL
    RETURNING stored.uuid
),
dated AS (
    UPDATE dataset_schema_versions AS stored
    SET created_at = chunk.first_at,
        dataset_uuid = chunk.dataset_uuid
    FROM chunk
    WHERE stored.uuid = chunk.uuid
      AND chunk.first_at IS NOT NULL
      AND (stored.created_at, stored.dataset_uuid) IS DISTINCT FROM (chunk.first_at, chunk.dataset_uuid)
),
emptied AS (
    DELETE FROM dataset_schema_versions_field_mapping AS mapping
    USING chunk, dataset_fields AS field
    WHERE mapping.dataset_schema_version_uuid = chunk.uuid
      AND field.uuid = mapping.dataset_field_uuid
      AND field.dataset_uuid IS DISTINCT FROM chunk.dataset_uuid
      AND NOT EXISTS (
          SELECT
          FROM dataset_versions AS version
          WHERE version.dataset_schema_version_uuid = chunk.uuid AND version.dataset_uuid = field.dataset_uuid
      )
)
SELECT
    (SELECT uuid::text FROM chunk ORDER BY chunk.uuid DESC LIMIT 1) AS last,
    (SELECT count(*) FROM removed) AS removed;
