-- Rendered from tables/run_states.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE run_states (
    uuid uuid NOT NULL,
    transitioned_at timestamptz NOT NULL,
    run_uuid uuid,
    state varchar(64) NOT NULL,
    PRIMARY KEY (uuid),
    FOREIGN KEY (run_uuid) REFERENCES runs (uuid) ON DELETE CASCADE
);
CREATE INDEX run_states_uuid_index ON run_states (run_uuid);
COMMENT ON TABLE run_states IS 'Each event that says what state its run is in.';
COMMENT ON COLUMN run_states.uuid IS 'Follows from the event.';
COMMENT ON COLUMN run_states.transitioned_at IS 'Time of the event.';
COMMENT ON COLUMN run_states.run_uuid IS 'The run.';
COMMENT ON COLUMN run_states.state IS 'RUNNING, COMPLETED, FAILED or ABORTED.';
COMMENT ON INDEX run_states_uuid_index IS 'States of a run.';
