-- Keeps the versions that mentions make (see made_versions.sql), and which of them is current.
INSERT INTO dataset_versions AS stored (
    uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state,
    dataset_schema_version_uuid
)
SELECT
    made.version_uuid,
    made.created_at,
    made.dataset_uuid,
    coalesce(known_version.key_uuid, made.version_uuid),
    made.run_uuid,
    made.fields,
    made.namespace_name,
    made.dataset_name,
    made.lifecycle_state,
    described.schema_version_uuid
FROM made_versions AS made
JOIN version_schemas AS described USING (version_uuid)
LEFT JOIN identity_map AS known_version
    ON known_version.entity = 'dataset_versions' AND known_version.uuid = made.version_uuid
ORDER BY made.version_uuid
ON CONFLICT (uuid) DO NOTHING;

-- reshaped_versions: versions that have another schema now.
CREATE TEMP TABLE reshaped_versions ON COMMIT DROP AS
SELECT described.version_uuid
FROM version_schemas AS described
JOIN dataset_versions AS stored ON stored.uuid = described.version_uuid
WHERE stored.dataset_schema_version_uuid IS DISTINCT FROM described.schema_version_uuid;

UPDATE dataset_versions AS stored
SET created_at = made.created_at,
    run_uuid = made.run_uuid,
    fields = made.fields
FROM made_versions AS made
WHERE stored.uuid = made.version_uuid
  AND (
      stored.created_at <> made.created_at
      OR stored.run_uuid IS DISTINCT FROM made.run_uuid
      OR stored.fields IS DISTINCT FROM made.fields
  );

UPDATE dataset_versions AS stored
SET dataset_schema_version_uuid = described.schema_version_uuid
FROM version_schemas AS described
WHERE stored.uuid = described.version_uuid
  AND stored.dataset_schema_version_uuid IS DISTINCT FROM described.schema_version_uuid;

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
