-- The columns of each dataset version, by the mapping that the flag of the migration `schema-versions` chooses.
-- readers: every reader of columns
-- reads: dataset_fields, dataset_schema_versions_field_mapping, dataset_versions, dataset_versions_field_mapping, migrations
--
-- Until the cut-over of that migration it is the old mapping, then the version's schema version, of whose columns those of the
-- version's own dataset are its. Only the branch that the flag chooses is executed.
CREATE OR REPLACE VIEW dataset_version_fields AS
SELECT mapping.dataset_version_uuid, mapping.dataset_field_uuid
FROM dataset_versions_field_mapping AS mapping
WHERE NOT coalesce((SELECT reads_new FROM migrations WHERE name = 'schema-versions'), false)
UNION ALL
SELECT dataset_versions.uuid, mapping.dataset_field_uuid
FROM dataset_versions
JOIN dataset_schema_versions_field_mapping AS mapping USING (dataset_schema_version_uuid)
JOIN dataset_fields AS field
    ON field.uuid = mapping.dataset_field_uuid AND field.dataset_uuid = dataset_versions.dataset_uuid
WHERE coalesce((SELECT reads_new FROM migrations WHERE name = 'schema-versions'), false);
