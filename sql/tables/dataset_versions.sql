-- Rendered from tables/dataset_versions.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_versions (
    uuid uuid NOT NULL,
    created_at timestamptz NOT NULL,
    dataset_uuid uuid,
    version uuid NOT NULL,
    run_uuid uuid,
    fields jsonb,
    namespace_name varchar,
    dataset_name varchar,
    lifecycle_state varchar(63),
    dataset_schema_version_uuid uuid,
    first_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT dataset_versions_version UNIQUE (version),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE,
    FOREIGN KEY (dataset_schema_version_uuid) REFERENCES dataset_schema_versions (uuid) ON DELETE NO ACTION
);
CREATE INDEX dataset_versions_name ON dataset_versions (dataset_name, namespace_name, created_at DESC);
CREATE INDEX dataset_versions_run_uuid ON dataset_versions (run_uuid);
CREATE INDEX datasetversion_datasetid_idx ON dataset_versions (dataset_uuid);
CREATE INDEX dataset_versions_schema_version_index ON dataset_versions (dataset_schema_version_uuid, first_event NULLS FIRST, created_at);
COMMENT ON TABLE dataset_versions IS 'Each state of a dataset that a run wrote, a reader met first or an event declared.';
COMMENT ON COLUMN dataset_versions.uuid IS 'As version, unless Marquez gave another.';
COMMENT ON COLUMN dataset_versions.created_at IS 'Time of the first event that made it.';
COMMENT ON COLUMN dataset_versions.dataset_uuid IS 'Its dataset.';
COMMENT ON COLUMN dataset_versions.version IS 'Follows from its content, and its run.';
COMMENT ON COLUMN dataset_versions.run_uuid IS 'Run that wrote it; null if none did.';
COMMENT ON COLUMN dataset_versions.fields IS 'Its columns, with those within them, as the first event that made it lists them.';
COMMENT ON COLUMN dataset_versions.namespace_name IS 'Namespace of the name that the event used, as spelled.';
COMMENT ON COLUMN dataset_versions.dataset_name IS 'Name that the event used.';
COMMENT ON COLUMN dataset_versions.lifecycle_state IS 'Lifecycle facet; empty without one.';
COMMENT ON COLUMN dataset_versions.dataset_schema_version_uuid IS 'The schema version with all fields under which it was written or read.';
COMMENT ON COLUMN dataset_versions.first_event IS 'Order of the first event that made it, and the place of the mention; null of what Marquez made.';
COMMENT ON INDEX dataset_versions_name IS 'Versions of a dataset, newest first, as the API lists them.';
COMMENT ON INDEX dataset_versions_run_uuid IS 'What a run wrote.';
COMMENT ON INDEX datasetversion_datasetid_idx IS 'All versions of a dataset.';
COMMENT ON INDEX dataset_versions_schema_version_index IS 'Versions with a schema, the first one first; removal of a schema version.';
