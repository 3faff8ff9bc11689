-- Phase 1 of seed 000: the old mapping is written beside the new one. A version has the fields of every schema under which
-- it was written or read.
INSERT INTO dataset_versions_field_mapping (dataset_version_uuid, dataset_field_uuid)
SELECT DISTINCT described.version_uuid, coalesce(known_field.uuid, field.uuid)
FROM (
    SELECT version_uuid, schema_uuid FROM slice_mentions
    UNION
    SELECT version_uuid, schema_uuid FROM moved_reads
) AS described
JOIN dataset_schemas ON dataset_schemas.uuid = described.schema_uuid
CROSS JOIN LATERAL jsonb_to_recordset(dataset_schemas.keyed_fields) AS field (uuid uuid)
LEFT JOIN identity_map AS known_field
    ON known_field.entity = 'dataset_fields' AND known_field.key_uuid = field.uuid
ON CONFLICT DO NOTHING;

-- A reader that has moved on takes its fields along, unless another mention of the version has them, too.
DELETE FROM dataset_versions_field_mapping AS mapped
USING (SELECT DISTINCT dataset_uuid, old_version_uuid FROM moved_reads) AS moved
WHERE mapped.dataset_version_uuid = moved.old_version_uuid
  AND NOT EXISTS (
      SELECT
      FROM dataset_mentions AS mention
      JOIN dataset_schemas ON dataset_schemas.uuid = mention.schema_uuid
      CROSS JOIN LATERAL jsonb_to_recordset(dataset_schemas.keyed_fields) AS field (uuid uuid)
      LEFT JOIN identity_map AS known_field
          ON known_field.entity = 'dataset_fields' AND known_field.key_uuid = field.uuid
      WHERE mention.dataset_uuid = moved.dataset_uuid
        AND mention.version_uuid = moved.old_version_uuid
        AND coalesce(known_field.uuid, field.uuid) = mapped.dataset_field_uuid
  );
