-- The versions that new or moved mentions make or unmake. A version is what its first mention says; a version that only a
-- reader made, and that no mention makes any more, goes (see unreferenced.sql).

-- touched_versions: version and origin, so that the version's own mentions are found by the origin's index.
CREATE TEMP TABLE touched_versions ON COMMIT DROP AS
SELECT DISTINCT dataset_uuid, own_version_uuid AS version_uuid, origin_uuid
FROM slice_mentions
WHERE version_uuid = own_version_uuid
UNION
SELECT moved.dataset_uuid, moved.old_version_uuid, moved.origin_uuid
FROM moved_reads AS moved
LEFT JOIN dropped_first_reads AS dropped USING (dataset_uuid, event_order)
WHERE dropped.dataset_uuid IS NOT NULL OR moved.origin_uuid = moved.old_version_uuid;

-- made_versions: what each touched version now is. Those that no mention makes are missing here.
CREATE TEMP TABLE made_versions ON COMMIT DROP AS
SELECT
    touched.dataset_uuid,
    touched.version_uuid,
    first_mention.event_time AS created_at,
    first_mention.namespace_name,
    first_mention.dataset_name,
    first_mention.lifecycle_state,
    written.run_uuid,
    described.fields,
    described.schema_version_uuid,
    described.uuid AS schema_uuid
FROM touched_versions AS touched
CROSS JOIN LATERAL (
    SELECT mention.*
    FROM (
        (
            SELECT event_order, place, event_time, schema_uuid, namespace_name, dataset_name, lifecycle_state
            FROM dataset_mentions
            WHERE origin_uuid = touched.origin_uuid
              AND role = 1
              AND dataset_uuid = touched.dataset_uuid
              AND version_uuid = touched.version_uuid
            ORDER BY event_order, place
            LIMIT 1
        )
        UNION ALL
        (
            SELECT event_order, place, event_time, schema_uuid, namespace_name, dataset_name, lifecycle_state
            FROM dataset_mentions
            WHERE origin_uuid = touched.origin_uuid
              AND role = 2
              AND dataset_uuid = touched.dataset_uuid
              AND version_uuid = touched.version_uuid
            ORDER BY event_order, place
            LIMIT 1
        )
    ) AS mention
    ORDER BY mention.event_order, mention.place
    LIMIT 1
) AS first_mention
JOIN dataset_schemas AS described ON described.uuid = first_mention.schema_uuid
LEFT JOIN LATERAL (
    SELECT dataset_mentions.run_uuid
    FROM dataset_mentions
    WHERE origin_uuid = touched.origin_uuid
      AND role = 2
      AND dataset_uuid = touched.dataset_uuid
      AND version_uuid = touched.version_uuid
    LIMIT 1
) AS written ON true;
