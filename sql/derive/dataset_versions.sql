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
    written.run_uuid,
    described.fields,
    described.schema_version_uuid,
    described.uuid AS schema_uuid
FROM touched_versions AS touched
CROSS JOIN LATERAL (
    SELECT mention.event_time, mention.schema_uuid
    FROM (
        (
            SELECT event_order, event_time, schema_uuid, role
            FROM dataset_mentions
            WHERE origin_uuid = touched.origin_uuid
              AND role = 1
              AND dataset_uuid = touched.dataset_uuid
              AND version_uuid = touched.version_uuid
            ORDER BY event_order
            LIMIT 1
        )
        UNION ALL
        (
            SELECT event_order, event_time, schema_uuid, role
            FROM dataset_mentions
            WHERE origin_uuid = touched.origin_uuid
              AND role = 2
              AND dataset_uuid = touched.dataset_uuid
              AND version_uuid = touched.version_uuid
            ORDER BY event_order
            LIMIT 1
        )
    ) AS mention
    ORDER BY mention.event_order, mention.role
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

-- touched_schema_versions: those that touched versions have now, or had before.
CREATE TEMP TABLE touched_schema_versions ON COMMIT DROP AS
SELECT schema_version_uuid AS uuid
FROM made_versions
UNION
SELECT stored.dataset_schema_version_uuid
FROM touched_versions AS touched
JOIN dataset_versions AS stored ON stored.uuid = touched.version_uuid;

-- Schema versions are made once, with their fields, in one statement; a field of a version is one of its schema.
WITH made AS (
    INSERT INTO dataset_schema_versions (uuid, dataset_uuid, created_at)
    SELECT schema_version_uuid, dataset_uuid, min(created_at)
    FROM made_versions
    GROUP BY schema_version_uuid, dataset_uuid
    ORDER BY schema_version_uuid
    ON CONFLICT (uuid) DO NOTHING
    RETURNING uuid
)
INSERT INTO dataset_schema_versions_field_mapping (dataset_schema_version_uuid, dataset_field_uuid)
SELECT DISTINCT made.uuid, coalesce(known_field.uuid, field.uuid)
FROM made
CROSS JOIN LATERAL (
    SELECT keyed_fields FROM dataset_schemas WHERE schema_version_uuid = made.uuid LIMIT 1
) AS described
CROSS JOIN LATERAL jsonb_to_recordset(described.keyed_fields) AS field (uuid uuid)
LEFT JOIN identity_map AS known_field
    ON known_field.entity = 'dataset_fields' AND known_field.key_uuid = field.uuid
ON CONFLICT DO NOTHING;

INSERT INTO dataset_versions AS stored (
    uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state,
    dataset_schema_version_uuid
)
SELECT
    made.version_uuid,
    made.created_at,
    made.dataset_uuid,
    staged.version,
    made.run_uuid,
    made.fields,
    staged.namespace_name,
    staged.dataset_name,
    staged.lifecycle_state,
    made.schema_version_uuid
FROM made_versions AS made
JOIN (
    SELECT DISTINCT ON (uuid)
        coalesce(known_version.uuid, said.uuid) AS uuid,
        said.version,
        said.namespace_name,
        said.dataset_name,
        said.lifecycle_state
    FROM staging.dataset_versions AS said
    LEFT JOIN identity_map AS known_version
        ON known_version.entity = 'dataset_versions' AND known_version.key_uuid = said.uuid
    WHERE said.part_id = ANY (%(parts)s)
    ORDER BY uuid
) AS staged ON staged.uuid = made.version_uuid
ORDER BY made.version_uuid
ON CONFLICT (uuid) DO NOTHING;

UPDATE dataset_versions AS stored
SET created_at = made.created_at,
    run_uuid = made.run_uuid,
    fields = made.fields,
    dataset_schema_version_uuid = made.schema_version_uuid
FROM made_versions AS made
WHERE stored.uuid = made.version_uuid
  AND (
      stored.created_at <> made.created_at
      OR stored.run_uuid IS DISTINCT FROM made.run_uuid
      OR stored.fields IS DISTINCT FROM made.fields
      OR stored.dataset_schema_version_uuid IS DISTINCT FROM made.schema_version_uuid
  );

UPDATE datasets
SET current_version_uuid = current.version_uuid
FROM (SELECT DISTINCT dataset_uuid FROM changed_timelines) AS changed
CROSS JOIN LATERAL (
    SELECT stored.version_uuid
    FROM dataset_version_timeline AS stored
    WHERE stored.dataset_uuid = changed.dataset_uuid
    ORDER BY stored.event_order DESC, stored.is_written DESC
    LIMIT 1
) AS current
WHERE datasets.uuid = changed.dataset_uuid
  AND datasets.current_version_uuid IS DISTINCT FROM current.version_uuid;
