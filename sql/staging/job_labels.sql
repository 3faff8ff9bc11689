-- Rendered from tables/job_labels.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.job_labels (
    part_id bigint NOT NULL,
    uuid uuid,
    job_uuid uuid,
    tags jsonb,
    tags_reported_at timestamptz,
    owners jsonb,
    owners_reported_at timestamptz,
    tags_event bytea,
    owners_event bytea
);
COMMENT ON TABLE staging.job_labels IS 'Rows for job_labels that wait for their merge; emptied by a crash.';
