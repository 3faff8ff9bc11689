-- Rendered from tables/runs.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.runs (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamptz,
    updated_at timestamptz,
    run_args_uuid uuid,
    nominal_start_time timestamp,
    nominal_end_time timestamp,
    current_run_state varchar(64),
    start_run_state_uuid uuid,
    end_run_state_uuid uuid,
    external_id varchar,
    namespace_name varchar,
    job_name varchar,
    location varchar,
    transitioned_at timestamp,
    started_at timestamp,
    ended_at timestamp,
    job_uuid uuid,
    latest_event bytea,
    first_event bytea,
    nominal_event bytea,
    state_event bytea,
    start_event bytea,
    end_event bytea
);
COMMENT ON TABLE staging.runs IS 'Rows for runs that wait for their merge; emptied by a crash.';
