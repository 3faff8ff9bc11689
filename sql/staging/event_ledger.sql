-- Rendered from tables/event_ledger.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.event_ledger (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    event_order bytea,
    event_time timestamptz,
    run_uuid uuid,
    job_uuid uuid,
    is_complete boolean,
    makes_job_version boolean,
    location text
);
COMMENT ON TABLE staging.event_ledger IS 'Rows for event_ledger that wait for their merge; emptied by a crash.';
