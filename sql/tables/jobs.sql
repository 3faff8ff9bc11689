-- Rendered from tables/jobs.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE jobs (
    uuid uuid NOT NULL,
    type varchar(64) NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    namespace_uuid uuid,
    simple_name varchar NOT NULL,
    description text,
    current_version_uuid uuid,
    namespace_name varchar,
    current_job_context_uuid uuid,
    current_location varchar,
    current_inputs jsonb,
    symlink_target_uuid uuid,
    parent_job_uuid uuid,
    parent_job_uuid_string character(36) DEFAULT '',
    is_hidden boolean DEFAULT false,
    name varchar NOT NULL,
    aliases varchar[],
    current_run_uuid uuid,
    latest_event bytea,
    first_event bytea,
    parent_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT unique_jobs_namespace_uuid_name_parent UNIQUE (namespace_uuid, name),
    FOREIGN KEY (namespace_uuid) REFERENCES namespaces (uuid) ON DELETE CASCADE,
    FOREIGN KEY (symlink_target_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE,
    FOREIGN KEY (parent_job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE
);
CREATE INDEX jobs_name_index ON jobs (name, namespace_name);
CREATE INDEX jobs_parent_job_uuid_index ON jobs (parent_job_uuid);
CREATE INDEX jobs_symlink_target_uuid_index ON jobs (symlink_target_uuid) WHERE symlink_target_uuid IS NOT NULL;
COMMENT ON TABLE jobs IS 'Every job that an event named. One without latest_event is known from its children only.';
COMMENT ON COLUMN jobs.uuid IS 'Follows from namespace and name.';
COMMENT ON COLUMN jobs.type IS 'BATCH or STREAM, by its last event.';
COMMENT ON COLUMN jobs.created_at IS 'Time of its first event.';
COMMENT ON COLUMN jobs.updated_at IS 'Time of its last event.';
COMMENT ON COLUMN jobs.namespace_uuid IS 'Its namespace, formatted.';
COMMENT ON COLUMN jobs.simple_name IS 'Its name without its parent''s, by the first event that names one.';
COMMENT ON COLUMN jobs.description IS 'Documentation facet of its last event; null if that had none.';
COMMENT ON COLUMN jobs.current_version_uuid IS 'Version of the last event that made one.';
COMMENT ON COLUMN jobs.namespace_name IS 'Name of its namespace, formatted.';
COMMENT ON COLUMN jobs.current_job_context_uuid IS 'Never set by OpenLineage events.';
COMMENT ON COLUMN jobs.current_location IS 'Where its source code lies, by its last event.';
COMMENT ON COLUMN jobs.current_inputs IS 'Datasets that its last event read.';
COMMENT ON COLUMN jobs.symlink_target_uuid IS 'The job that took its place.';
COMMENT ON COLUMN jobs.parent_job_uuid IS 'The job that starts it, by the first event that names one.';
COMMENT ON COLUMN jobs.parent_job_uuid_string IS 'Blank, as Marquez leaves it.';
COMMENT ON COLUMN jobs.is_hidden IS 'Left out of lists.';
COMMENT ON COLUMN jobs.name IS 'Its full name.';
COMMENT ON COLUMN jobs.aliases IS 'Earlier names of it.';
COMMENT ON COLUMN jobs.current_run_uuid IS 'Run of its last event; null after a job event.';
COMMENT ON COLUMN jobs.latest_event IS 'Order of the event that the newest came from.';
COMMENT ON COLUMN jobs.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN jobs.parent_event IS 'Order of the event that the earliest came from.';
COMMENT ON INDEX jobs_name_index IS 'A job by name, as the API asks.';
COMMENT ON INDEX jobs_parent_job_uuid_index IS 'Children of a job; removal of a job.';
COMMENT ON INDEX jobs_symlink_target_uuid_index IS 'Jobs that another took the place of; removal of a job.';
