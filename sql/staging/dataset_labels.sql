-- Rendered from tables/dataset_labels.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.dataset_labels (
    part_id bigint NOT NULL,
    uuid uuid,
    dataset_uuid uuid,
    tags jsonb,
    tags_reported_at timestamptz,
    owners jsonb,
    owners_reported_at timestamptz,
    tags_event bytea,
    owners_event bytea
);
COMMENT ON TABLE staging.dataset_labels IS 'Rows for dataset_labels that wait for their merge; emptied by a crash.';
