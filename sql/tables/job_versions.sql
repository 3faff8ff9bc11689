-- Rendered from tables/job_versions.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE job_versions (
    uuid uuid NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    job_uuid uuid,
    version uuid NOT NULL,
    location varchar,
    latest_run_uuid uuid,
    job_context_uuid uuid,
    namespace_uuid uuid,
    namespace_name varchar,
    job_name varchar,
    PRIMARY KEY (uuid),
    CONSTRAINT job_versions_version UNIQUE (version),
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE
);
CREATE INDEX job_versions_job_uuid_index ON job_versions (job_uuid);
CREATE INDEX job_versions_selector ON job_versions (job_name, namespace_name);
COMMENT ON TABLE job_versions IS 'Each combination of datasets and source code that a job had; derived from event_ledger.';
COMMENT ON COLUMN job_versions.uuid IS 'As version, unless Marquez gave another.';
COMMENT ON COLUMN job_versions.created_at IS 'Time of the first event that made it.';
COMMENT ON COLUMN job_versions.updated_at IS 'Time of the last event that made it.';
COMMENT ON COLUMN job_versions.job_uuid IS 'Its job.';
COMMENT ON COLUMN job_versions.version IS 'Follows from job, datasets and location.';
COMMENT ON COLUMN job_versions.location IS 'Where its source code lies; Marquez takes 255 characters at most.';
COMMENT ON COLUMN job_versions.latest_run_uuid IS 'The last run of it; null if only job events made it.';
COMMENT ON COLUMN job_versions.job_context_uuid IS 'Never set by OpenLineage events.';
COMMENT ON COLUMN job_versions.namespace_uuid IS 'Namespace of its job.';
COMMENT ON COLUMN job_versions.namespace_name IS 'Name of that namespace.';
COMMENT ON COLUMN job_versions.job_name IS 'Name of its job.';
COMMENT ON INDEX job_versions_job_uuid_index IS 'All versions of a job; removal of a job.';
COMMENT ON INDEX job_versions_selector IS 'Versions by the job''s name, as the API asks.';
