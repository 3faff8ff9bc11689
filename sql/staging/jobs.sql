-- Rendered from tables/jobs.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.jobs (
    part_id bigint NOT NULL,
    uuid uuid,
    type varchar(64),
    created_at timestamptz,
    updated_at timestamptz,
    namespace_uuid uuid,
    simple_name varchar,
    description text,
    namespace_name varchar,
    current_location varchar,
    current_inputs jsonb,
    parent_job_uuid_string character(36),
    name varchar,
    current_run_uuid uuid,
    latest_event bytea,
    first_event bytea,
    parent_event bytea
);
COMMENT ON TABLE staging.jobs IS 'Rows for jobs that wait for their merge; emptied by a crash.';
