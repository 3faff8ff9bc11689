-- Rendered from tables/jobs_tag_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE jobs_tag_mapping (
    job_uuid uuid NOT NULL,
    tag_uuid uuid NOT NULL,
    tagged_at timestamptz NOT NULL,
    is_reported boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tag_uuid, job_uuid),
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE NO ACTION,
    FOREIGN KEY (tag_uuid) REFERENCES tags (uuid) ON DELETE NO ACTION
);
CREATE INDEX jobs_tag_mapping_job_uuid_index ON jobs_tag_mapping (job_uuid);
COMMENT ON TABLE jobs_tag_mapping IS 'The tags that events and people put on jobs. A job that bears one cannot be removed before its tags are.';
COMMENT ON COLUMN jobs_tag_mapping.job_uuid IS 'Job that bears the tag.';
COMMENT ON COLUMN jobs_tag_mapping.tag_uuid IS 'Tag that it bears.';
COMMENT ON COLUMN jobs_tag_mapping.tagged_at IS 'When a person put it there, or the time of the event that reports it.';
COMMENT ON COLUMN jobs_tag_mapping.is_reported IS 'Whether it comes from events. What people put there stays until people take it away.';
COMMENT ON INDEX jobs_tag_mapping_job_uuid_index IS 'Tags of one job; the check when a job is removed.';
