-- Rendered from tables/dataset_versions_field_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_versions_field_mapping (
    dataset_version_uuid uuid NOT NULL,
    dataset_field_uuid uuid NOT NULL,
    PRIMARY KEY (dataset_version_uuid, dataset_field_uuid),
    FOREIGN KEY (dataset_version_uuid) REFERENCES dataset_versions (uuid) ON DELETE CASCADE,
    FOREIGN KEY (dataset_field_uuid) REFERENCES dataset_fields (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_versions_field_mapping_index ON dataset_versions_field_mapping (dataset_field_uuid);
COMMENT ON TABLE dataset_versions_field_mapping IS 'The columns of each dataset version, those of its readers'' schemas too; written beside the schema versions.';
COMMENT ON COLUMN dataset_versions_field_mapping.dataset_version_uuid IS 'The dataset version.';
COMMENT ON COLUMN dataset_versions_field_mapping.dataset_field_uuid IS 'A column of it.';
COMMENT ON INDEX dataset_versions_field_mapping_index IS 'Versions with a column, as the API''s column lineage asks; removal of a column.';
