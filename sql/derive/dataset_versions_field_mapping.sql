-- Phase 1 of seed 000: the old mapping is written beside the new one, and says the same.
INSERT INTO dataset_versions_field_mapping (dataset_version_uuid, dataset_field_uuid)
SELECT described.version_uuid, field.dataset_field_uuid
FROM version_schemas AS described
JOIN dataset_schema_versions_field_mapping AS field
    ON field.dataset_schema_version_uuid = described.schema_version_uuid
ON CONFLICT DO NOTHING;

-- A reader that has moved on takes its fields along, unless another mention of the version has them, too.
DELETE FROM dataset_versions_field_mapping AS mapped
USING version_schemas AS described
WHERE mapped.dataset_version_uuid = described.version_uuid
  AND described.version_uuid IN (SELECT old_version_uuid FROM moved_reads)
  AND NOT EXISTS (
      SELECT
      FROM dataset_schema_versions_field_mapping AS field
      WHERE field.dataset_schema_version_uuid = described.schema_version_uuid
        AND field.dataset_field_uuid = mapped.dataset_field_uuid
  );
