-- Rendered from tables/dataset_schema_versions_field_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_schema_versions_field_mapping (
    dataset_schema_version_uuid uuid NOT NULL,
    dataset_field_uuid uuid NOT NULL,
    PRIMARY KEY (dataset_schema_version_uuid, dataset_field_uuid),
    FOREIGN KEY (dataset_schema_version_uuid) REFERENCES dataset_schema_versions (uuid) ON DELETE CASCADE,
    FOREIGN KEY (dataset_field_uuid) REFERENCES dataset_fields (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_schema_versions_field_mapping_field_index ON dataset_schema_versions_field_mapping (dataset_field_uuid);
COMMENT ON TABLE dataset_schema_versions_field_mapping IS 'The columns of each schema version.';
COMMENT ON COLUMN dataset_schema_versions_field_mapping.dataset_schema_version_uuid IS 'The schema version.';
COMMENT ON COLUMN dataset_schema_versions_field_mapping.dataset_field_uuid IS 'A column of it.';
COMMENT ON INDEX dataset_schema_versions_field_mapping_field_index IS 'Schema versions with a column; removal of a column.';
