-- Rendered from tables/dataset_schema_versions.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_schema_versions (
    uuid uuid NOT NULL,
    dataset_uuid uuid,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (uuid),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_schema_versions_dataset_uuid_index ON dataset_schema_versions (dataset_uuid);
COMMENT ON TABLE dataset_schema_versions IS 'Each set of names and types that versions of a dataset had; made once, never changed, used again.';
COMMENT ON COLUMN dataset_schema_versions.uuid IS 'Follows from dataset, names and types.';
COMMENT ON COLUMN dataset_schema_versions.dataset_uuid IS 'Its dataset.';
COMMENT ON COLUMN dataset_schema_versions.created_at IS 'When the first version with it was made.';
COMMENT ON INDEX dataset_schema_versions_dataset_uuid_index IS 'History of a dataset''s schema; removal.';
