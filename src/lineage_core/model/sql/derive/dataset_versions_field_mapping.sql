-- The old mapping: the fields of each version's schema version.
-- again: A version is made, or references another schema version.
-- reads: dataset_fields, dataset_schema_versions, schema_fields_to_move, moved_reads, renamed_versions, version_schemas
-- writes: dataset_versions_field_mapping
-- removes: dataset_versions_field_mapping
-- before: model/derive/unreferenced
--
-- It is there until its migration ends, is written beside the new one, and says the same: the fields of the version's schema
-- that are its dataset's.

INSERT INTO dataset_versions_field_mapping (dataset_version_uuid, dataset_field_uuid)
SELECT described.version_uuid, field.uuid
FROM version_schemas AS described
JOIN dataset_schema_versions_field_mapping AS mapped
    ON mapped.dataset_schema_version_uuid = described.schema_version_uuid
JOIN dataset_fields AS field ON field.uuid = mapped.dataset_field_uuid AND field.dataset_uuid = described.dataset_uuid
ON CONFLICT DO NOTHING;

-- A reader that has moved on takes its fields along, unless another mention of the version has them, too. A version that turns out to
-- be another dataset's has the fields of that one.
DELETE FROM dataset_versions_field_mapping AS mapped
USING version_schemas AS described
WHERE mapped.dataset_version_uuid = described.version_uuid
  AND described.version_uuid IN (
      SELECT old_version_uuid FROM moved_reads
      UNION ALL
      SELECT version_uuid FROM renamed_versions
  )
  AND NOT EXISTS (
      SELECT
      FROM dataset_schema_versions_field_mapping AS kept
      JOIN dataset_fields AS field ON field.uuid = kept.dataset_field_uuid
      WHERE kept.dataset_schema_version_uuid = described.schema_version_uuid
        AND kept.dataset_field_uuid = mapped.dataset_field_uuid
        AND field.dataset_uuid = described.dataset_uuid
  );
