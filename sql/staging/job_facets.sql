-- Rendered from tables/job_facets.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.job_facets (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    created_at timestamptz,
    job_uuid uuid,
    run_uuid uuid,
    lineage_event_time timestamptz,
    lineage_event_type varchar(64),
    name varchar(255),
    facet jsonb
);
COMMENT ON TABLE staging.job_facets IS 'Rows for job_facets that wait for their merge; emptied by a crash.';
