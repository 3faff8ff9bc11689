-- Rendered from tables/runs_input_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE runs_input_mapping (
    run_uuid uuid NOT NULL,
    dataset_version_uuid uuid NOT NULL,
    PRIMARY KEY (run_uuid, dataset_version_uuid),
    FOREIGN KEY (run_uuid) REFERENCES runs (uuid) ON DELETE CASCADE,
    FOREIGN KEY (dataset_version_uuid) REFERENCES dataset_versions (uuid) ON DELETE CASCADE
);
CREATE INDEX runs_input_mapping_dataset_version_index ON runs_input_mapping (dataset_version_uuid);
COMMENT ON TABLE runs_input_mapping IS 'Which dataset versions a run read: at each of its events, the version that was current then.';
COMMENT ON COLUMN runs_input_mapping.run_uuid IS 'The run.';
COMMENT ON COLUMN runs_input_mapping.dataset_version_uuid IS 'A version that it read.';
COMMENT ON INDEX runs_input_mapping_dataset_version_index IS 'Runs that read a version; removal of a version.';
