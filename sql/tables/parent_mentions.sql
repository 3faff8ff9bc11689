-- Rendered from tables/parent_mentions.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE parent_mentions (
    parent_run_uuid uuid NOT NULL,
    event_order bytea NOT NULL,
    event_time timestamptz NOT NULL,
    run_uuid uuid NOT NULL,
    job_uuid uuid NOT NULL,
    named_job_uuid uuid NOT NULL,
    local_job_uuid uuid NOT NULL,
    conflicting_run_uuid uuid NOT NULL,
    parent_job_name text NOT NULL,
    external_id text NOT NULL,
    is_streaming boolean NOT NULL,
    location text,
    says integer NOT NULL,
    state varchar(64),
    state_uuid uuid,
    nominal_start_time timestamp,
    nominal_end_time timestamp,
    parent_job_uuid uuid,
    made_run_uuid uuid,
    PRIMARY KEY (parent_run_uuid, event_order)
);
CREATE INDEX parent_mentions_made_run_index ON parent_mentions (made_run_uuid, says, event_order) WHERE made_run_uuid IS NOT NULL;
CREATE INDEX parent_mentions_local_job_index ON parent_mentions (local_job_uuid, event_order) WHERE made_run_uuid IS NOT NULL;
COMMENT ON TABLE parent_mentions IS 'Each event that names the parent of its run, with what a parent that does not report is made of.';
COMMENT ON COLUMN parent_mentions.parent_run_uuid IS 'The run that it names.';
COMMENT ON COLUMN parent_mentions.event_order IS 'Order of the event, where the earliest wins.';
COMMENT ON COLUMN parent_mentions.event_time IS 'Time of the event.';
COMMENT ON COLUMN parent_mentions.run_uuid IS 'Run of the event, the child.';
COMMENT ON COLUMN parent_mentions.job_uuid IS 'Job of the event.';
COMMENT ON COLUMN parent_mentions.named_job_uuid IS 'Job of the parent, as the facet says it.';
COMMENT ON COLUMN parent_mentions.local_job_uuid IS 'That name in the child''s namespace.';
COMMENT ON COLUMN parent_mentions.conflicting_run_uuid IS 'Stands for a run that is another job''s.';
COMMENT ON COLUMN parent_mentions.parent_job_name IS 'Name of the parent''s job.';
COMMENT ON COLUMN parent_mentions.external_id IS 'Id of the parent run as spelled.';
COMMENT ON COLUMN parent_mentions.is_streaming IS 'Whether the child''s job streams.';
COMMENT ON COLUMN parent_mentions.location IS 'Where the source code of the child''s job lies.';
COMMENT ON COLUMN parent_mentions.says IS '0 nothing of the run''s state, 1 that it runs, 2 that it has ended; 3 more if the event is ahead.';
COMMENT ON COLUMN parent_mentions.state IS 'State that the event brings its run to.';
COMMENT ON COLUMN parent_mentions.state_uuid IS 'That state, when the parent takes it.';
COMMENT ON COLUMN parent_mentions.nominal_start_time IS 'Start of the child''s interval, in UTC.';
COMMENT ON COLUMN parent_mentions.nominal_end_time IS 'End of that interval, in UTC.';
COMMENT ON COLUMN parent_mentions.parent_job_uuid IS 'Job that starts the child''s job, by this event.';
COMMENT ON COLUMN parent_mentions.made_run_uuid IS 'Run that nobody reports and that this event says something of.';
COMMENT ON INDEX parent_mentions_made_run_index IS 'First and last event that says something of a run that nobody reports.';
COMMENT ON INDEX parent_mentions_local_job_index IS 'First and last event that says something of a job that nobody reports.';
