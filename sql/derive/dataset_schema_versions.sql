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
