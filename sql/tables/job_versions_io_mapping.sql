-- Rendered from tables/job_versions_io_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE job_versions_io_mapping (
    job_version_uuid uuid,
    dataset_uuid uuid NOT NULL,
    io_type varchar(64) NOT NULL,
    job_uuid uuid,
    job_symlink_target_uuid uuid,
    is_current_job_version boolean DEFAULT false,
    made_current_at timestamp,
    CONSTRAINT job_versions_io_mapping_mapping_pkey UNIQUE (job_version_uuid, dataset_uuid, io_type, job_uuid),
    FOREIGN KEY (job_version_uuid) REFERENCES job_versions (uuid) ON DELETE CASCADE,
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE,
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE,
    FOREIGN KEY (job_symlink_target_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE
);
CREATE INDEX job_versions_io_mapping_dataset_index ON job_versions_io_mapping (dataset_uuid);
CREATE INDEX job_versions_io_mapping_job_uuid_job_symlink_target_uuid ON job_versions_io_mapping (job_uuid, job_symlink_target_uuid);
CREATE INDEX job_versions_io_mapping_symlink_target_index ON job_versions_io_mapping (job_symlink_target_uuid) WHERE job_symlink_target_uuid IS NOT NULL;
COMMENT ON TABLE job_versions_io_mapping IS 'Which datasets a job version reads and writes, and whether that is what the job now does.';
COMMENT ON COLUMN job_versions_io_mapping.job_version_uuid IS 'The version.';
COMMENT ON COLUMN job_versions_io_mapping.dataset_uuid IS 'The dataset.';
COMMENT ON COLUMN job_versions_io_mapping.io_type IS 'INPUT or OUTPUT.';
COMMENT ON COLUMN job_versions_io_mapping.job_uuid IS 'Job of the version.';
COMMENT ON COLUMN job_versions_io_mapping.job_symlink_target_uuid IS 'The job that took its place.';
COMMENT ON COLUMN job_versions_io_mapping.is_current_job_version IS 'Whether the version is the job''s current one.';
COMMENT ON COLUMN job_versions_io_mapping.made_current_at IS 'Since when it is current, in UTC; null if it is not.';
COMMENT ON INDEX job_versions_io_mapping_dataset_index IS 'Jobs that read or write a dataset.';
COMMENT ON INDEX job_versions_io_mapping_job_uuid_job_symlink_target_uuid IS 'What a job reads and writes, as the API''s lineage graph asks.';
COMMENT ON INDEX job_versions_io_mapping_symlink_target_index IS 'Removal of a job that took another''s place.';
