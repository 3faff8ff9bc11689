-- Rendered from tables/stream_versions.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE stream_versions (
    dataset_version_uuid uuid,
    schema_location varchar(255) NOT NULL,
    CONSTRAINT stream_versions_schema_location_key UNIQUE (schema_location),
    FOREIGN KEY (dataset_version_uuid) REFERENCES dataset_versions (uuid) ON DELETE CASCADE
);
CREATE UNIQUE INDEX stream_versions_dataset_version_index ON stream_versions (dataset_version_uuid);
COMMENT ON TABLE stream_versions IS 'Where the schema of a stream''s version is kept; only Marquez'' older API writes it.';
COMMENT ON COLUMN stream_versions.dataset_version_uuid IS 'Version of the stream.';
COMMENT ON COLUMN stream_versions.schema_location IS 'Address of its schema.';
COMMENT ON INDEX stream_versions_dataset_version_index IS 'A version has one row at most; removal of a dataset version.';
