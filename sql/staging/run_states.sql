-- Rendered from tables/run_states.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.run_states (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    uuid uuid,
    transitioned_at timestamptz,
    run_uuid uuid,
    state varchar(64)
);
COMMENT ON TABLE staging.run_states IS 'Rows for run_states that wait for their merge; emptied by a crash.';
