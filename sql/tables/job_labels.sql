-- Rendered from tables/job_labels.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE job_labels (
    uuid uuid NOT NULL,
    job_uuid uuid NOT NULL,
    tags jsonb,
    tags_reported_at timestamptz,
    owners jsonb,
    owners_reported_at timestamptz,
    tags_event bytea,
    owners_event bytea,
    PRIMARY KEY (uuid),
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE
);
CREATE INDEX job_labels_job_uuid_index ON job_labels (job_uuid);
COMMENT ON TABLE job_labels IS 'The tags and owners that the last event with such a facet gives a job, a row for each of its names. Tags and ownerships follow from it.';
COMMENT ON COLUMN job_labels.uuid IS 'Follows from the name by which events call the job.';
COMMENT ON COLUMN job_labels.job_uuid IS 'The job that bears the name.';
COMMENT ON COLUMN job_labels.tags IS 'Name of each tag.';
COMMENT ON COLUMN job_labels.tags_reported_at IS 'Time of that event.';
COMMENT ON COLUMN job_labels.owners IS 'Name and type of each owner.';
COMMENT ON COLUMN job_labels.owners_reported_at IS 'Time of that event.';
COMMENT ON COLUMN job_labels.tags_event IS 'Order of the event that the newest came from.';
COMMENT ON COLUMN job_labels.owners_event IS 'Order of the event that the newest came from.';
COMMENT ON INDEX job_labels_job_uuid_index IS 'Labels of a job; its removal.';
