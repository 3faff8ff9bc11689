-- Rendered from tables/job_facets.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE job_facets (
    created_at timestamptz NOT NULL,
    job_uuid uuid,
    run_uuid uuid,
    lineage_event_time timestamptz NOT NULL,
    lineage_event_type varchar(64),
    name varchar(255) NOT NULL,
    facet jsonb NOT NULL,
    job_version_uuid uuid,
    event_order bytea,
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE,
    FOREIGN KEY (job_version_uuid) REFERENCES job_versions (uuid) ON DELETE CASCADE
);
CREATE INDEX job_facets_job_uuid_index ON job_facets (job_uuid);
CREATE INDEX job_facets_job_version_uuid ON job_facets (job_version_uuid);
CREATE INDEX job_facets_run_uuid_index ON job_facets (run_uuid);
COMMENT ON TABLE job_facets IS 'The facets of jobs, a row an event.';
COMMENT ON COLUMN job_facets.created_at IS 'Time of the event.';
COMMENT ON COLUMN job_facets.job_uuid IS 'The job.';
COMMENT ON COLUMN job_facets.run_uuid IS 'The run; null for job events.';
COMMENT ON COLUMN job_facets.lineage_event_time IS 'Time of the event.';
COMMENT ON COLUMN job_facets.lineage_event_type IS 'Type of the event; null for job events.';
COMMENT ON COLUMN job_facets.name IS 'The facet''s key.';
COMMENT ON COLUMN job_facets.facet IS 'An object with that key and the facet as it came.';
COMMENT ON COLUMN job_facets.job_version_uuid IS 'The version that the run, or the job event, made.';
COMMENT ON COLUMN job_facets.event_order IS 'Order of the job event that brought it; null for run events.';
COMMENT ON INDEX job_facets_job_uuid_index IS 'Facets of a job.';
COMMENT ON INDEX job_facets_job_version_uuid IS 'Facets of a job version.';
COMMENT ON INDEX job_facets_run_uuid_index IS 'Facets that a run gave its job.';
