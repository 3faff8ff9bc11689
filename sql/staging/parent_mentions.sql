-- Rendered from tables/parent_mentions.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.parent_mentions (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    parent_run_uuid uuid,
    event_order bytea,
    event_time timestamptz,
    run_uuid uuid,
    job_uuid uuid,
    named_job_uuid uuid,
    local_job_uuid uuid,
    conflicting_run_uuid uuid,
    parent_job_name text,
    external_id text,
    is_streaming boolean,
    location text,
    says integer,
    state varchar(64),
    state_uuid uuid,
    nominal_start_time timestamp,
    nominal_end_time timestamp
);
COMMENT ON TABLE staging.parent_mentions IS 'Rows for parent_mentions that wait for their merge; emptied by a crash.';
