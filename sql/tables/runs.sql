-- Rendered from tables/runs.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE runs (
    uuid uuid NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    job_version_uuid uuid,
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
    job_context_uuid uuid,
    parent_run_uuid uuid,
    job_uuid uuid,
    first_event bytea,
    latest_event bytea,
    nominal_event bytea,
    state_event bytea,
    start_event bytea,
    end_event bytea,
    parent_event bytea,
    PRIMARY KEY (uuid),
    FOREIGN KEY (job_version_uuid) REFERENCES job_versions (uuid) ON DELETE CASCADE,
    FOREIGN KEY (run_args_uuid) REFERENCES run_args (uuid) ON DELETE CASCADE
);
CREATE INDEX runs_created_at_by_name_index ON runs (job_name, namespace_name, created_at DESC);
CREATE INDEX runs_created_at_index ON runs (created_at DESC);
CREATE INDEX runs_job_uuid ON runs (job_uuid, transitioned_at DESC);
CREATE INDEX runs_job_version_uuid_index ON runs (job_version_uuid);
CREATE INDEX runs_parent_run_uuid_index ON runs (parent_run_uuid);
CREATE INDEX runs_start_run_state_uuid_index ON runs (start_run_state_uuid);
CREATE INDEX runs_end_run_state_uuid_index ON runs (end_run_state_uuid);
CREATE INDEX runs_run_args_uuid_index ON runs (run_args_uuid);
COMMENT ON TABLE runs IS 'Every run that an event named. One without first_event is known from its children only.';
COMMENT ON COLUMN runs.uuid IS 'The producer''s, or derived from its text.';
COMMENT ON COLUMN runs.created_at IS 'Time of its first event.';
COMMENT ON COLUMN runs.updated_at IS 'Time of its last event.';
COMMENT ON COLUMN runs.job_version_uuid IS 'Version of its job, by the last event that made one.';
COMMENT ON COLUMN runs.run_args_uuid IS 'Arguments in its first event.';
COMMENT ON COLUMN runs.nominal_start_time IS 'Start of the interval that it works for, in UTC.';
COMMENT ON COLUMN runs.nominal_end_time IS 'End of that interval, in UTC.';
COMMENT ON COLUMN runs.current_run_state IS 'RUNNING, COMPLETED, FAILED or ABORTED.';
COMMENT ON COLUMN runs.start_run_state_uuid IS 'State that started it.';
COMMENT ON COLUMN runs.end_run_state_uuid IS 'State that ended it.';
COMMENT ON COLUMN runs.external_id IS 'Its id as its last event spells it.';
COMMENT ON COLUMN runs.namespace_name IS 'Namespace of its job.';
COMMENT ON COLUMN runs.job_name IS 'Name of its job.';
COMMENT ON COLUMN runs.location IS 'Where the source code lay, by its last event.';
COMMENT ON COLUMN runs.transitioned_at IS 'When it came to its state, in UTC.';
COMMENT ON COLUMN runs.started_at IS 'Time of the first event that had it running, in UTC.';
COMMENT ON COLUMN runs.ended_at IS 'Time of the last event that ended it, in UTC.';
COMMENT ON COLUMN runs.job_context_uuid IS 'Never set by OpenLineage events.';
COMMENT ON COLUMN runs.parent_run_uuid IS 'The run that started it, by the first event that names one.';
COMMENT ON COLUMN runs.job_uuid IS 'Its job, by its first event.';
COMMENT ON COLUMN runs.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN runs.latest_event IS 'Order of the event that the newest came from.';
COMMENT ON COLUMN runs.nominal_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN runs.state_event IS 'Order of the event that the newest came from.';
COMMENT ON COLUMN runs.start_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN runs.end_event IS 'Order of the event that the newest came from.';
COMMENT ON COLUMN runs.parent_event IS 'Order of the event that the earliest came from.';
COMMENT ON INDEX runs_created_at_by_name_index IS 'Runs of a job, newest first, as the API lists them.';
COMMENT ON INDEX runs_created_at_index IS 'Newest runs of all jobs.';
COMMENT ON INDEX runs_job_uuid IS 'Last runs of a job by its id.';
COMMENT ON INDEX runs_job_version_uuid_index IS 'Runs of a job version; removal of it.';
COMMENT ON INDEX runs_parent_run_uuid_index IS 'Children of a run; removal of a run.';
COMMENT ON INDEX runs_start_run_state_uuid_index IS 'Removal of a run''s states.';
COMMENT ON INDEX runs_end_run_state_uuid_index IS 'Removal of a run''s states.';
COMMENT ON INDEX runs_run_args_uuid_index IS 'Removal of arguments that no run has.';
