-- Rendered from tables/dataset_facets.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_facets (
    created_at timestamptz NOT NULL,
    dataset_uuid uuid,
    dataset_version_uuid uuid,
    run_uuid uuid,
    lineage_event_time timestamptz NOT NULL,
    lineage_event_type varchar(64),
    type varchar(64) NOT NULL,
    name varchar(255) NOT NULL,
    facet jsonb NOT NULL,
    mention_id bigint,
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE,
    FOREIGN KEY (dataset_version_uuid) REFERENCES dataset_versions (uuid) ON DELETE CASCADE,
    FOREIGN KEY (run_uuid) REFERENCES runs (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_facets_dataset_uuid_index ON dataset_facets (dataset_uuid);
CREATE INDEX dataset_facets_dataset_version_uuid_index ON dataset_facets (dataset_version_uuid);
CREATE INDEX dataset_facets_run_uuid_index ON dataset_facets (run_uuid);
COMMENT ON TABLE dataset_facets IS 'The facets of datasets, a row an event and mention.';
COMMENT ON COLUMN dataset_facets.created_at IS 'Time of the event.';
COMMENT ON COLUMN dataset_facets.dataset_uuid IS 'The dataset.';
COMMENT ON COLUMN dataset_facets.dataset_version_uuid IS 'The version that was written, or read.';
COMMENT ON COLUMN dataset_facets.run_uuid IS 'The run; null for job and dataset events.';
COMMENT ON COLUMN dataset_facets.lineage_event_time IS 'Time of the event.';
COMMENT ON COLUMN dataset_facets.lineage_event_type IS 'Type of the event; null for job and dataset events.';
COMMENT ON COLUMN dataset_facets.type IS 'DATASET, INPUT, OUTPUT or UNKNOWN.';
COMMENT ON COLUMN dataset_facets.name IS 'The facet''s key.';
COMMENT ON COLUMN dataset_facets.facet IS 'An object with that key and the facet as it came.';
COMMENT ON COLUMN dataset_facets.mention_id IS 'The mention that brought it, as in dataset_mentions.';
COMMENT ON INDEX dataset_facets_dataset_uuid_index IS 'Facets of a dataset.';
COMMENT ON INDEX dataset_facets_dataset_version_uuid_index IS 'Facets of a version.';
COMMENT ON INDEX dataset_facets_run_uuid_index IS 'Facets that a run gave its datasets.';
