-- Rendered from tables/event_ledger.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE event_ledger (
    event_order bytea NOT NULL,
    event_time timestamptz NOT NULL,
    run_uuid uuid,
    job_uuid uuid,
    is_complete boolean NOT NULL,
    makes_job_version boolean NOT NULL,
    location text,
    job_version_uuid uuid,
    PRIMARY KEY (event_order)
);
CREATE INDEX event_ledger_run_index ON event_ledger (run_uuid, event_order) WHERE is_complete OR makes_job_version;
CREATE INDEX event_ledger_job_index ON event_ledger (job_uuid, job_version_uuid, event_order) WHERE job_version_uuid IS NOT NULL;
CREATE INDEX event_ledger_job_version_index ON event_ledger (job_version_uuid, event_order) WHERE job_version_uuid IS NOT NULL;
COMMENT ON TABLE event_ledger IS 'Every event that is in the tables. An event that it holds is not counted again.';
COMMENT ON COLUMN event_ledger.event_order IS 'Order of the event, with its digest at the end.';
COMMENT ON COLUMN event_ledger.event_time IS 'Time of the event.';
COMMENT ON COLUMN event_ledger.run_uuid IS 'Its run; null for job and dataset events.';
COMMENT ON COLUMN event_ledger.job_uuid IS 'Its job; null for dataset events.';
COMMENT ON COLUMN event_ledger.is_complete IS 'Makes the outputs of its run current.';
COMMENT ON COLUMN event_ledger.makes_job_version IS 'Makes a version of its job.';
COMMENT ON COLUMN event_ledger.location IS 'Where the job''s source code lies, by this event.';
COMMENT ON COLUMN event_ledger.job_version_uuid IS 'The version that it made.';
COMMENT ON INDEX event_ledger_run_index IS 'Endings of a run.';
COMMENT ON INDEX event_ledger_job_index IS 'The versions of a job, each once, with their first and last events.';
COMMENT ON INDEX event_ledger_job_version_index IS 'First and last event of a job version.';
