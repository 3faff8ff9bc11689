-- Postgres looks up each row that is written for each foreign key of its table, one by one: a fifth of a merge. Where merges and
-- retention alone write both tables, they keep these references themselves. Nothing is read or rewritten.
ALTER TABLE dataset_fields DROP CONSTRAINT dataset_fields_dataset_uuid_fkey;
ALTER TABLE dataset_mentions DROP CONSTRAINT dataset_mentions_dataset_uuid_fkey;
ALTER TABLE dataset_schema_histories DROP CONSTRAINT dataset_schema_histories_dataset_uuid_fkey;
ALTER TABLE dataset_schema_verdicts DROP CONSTRAINT dataset_schema_verdicts_dataset_uuid_fkey;
ALTER TABLE dataset_version_timeline DROP CONSTRAINT dataset_version_timeline_dataset_uuid_fkey;
ALTER TABLE dataset_versions DROP CONSTRAINT dataset_versions_dataset_uuid_fkey;
ALTER TABLE job_edges DROP CONSTRAINT job_edges_job_uuid_fkey;
ALTER TABLE job_version_timeline DROP CONSTRAINT job_version_timeline_job_uuid_fkey;
ALTER TABLE job_versions_io_mapping
    DROP CONSTRAINT job_versions_io_mapping_dataset_uuid_fkey,
    DROP CONSTRAINT job_versions_io_mapping_job_uuid_fkey;
ALTER TABLE run_states DROP CONSTRAINT run_states_run_uuid_fkey;
ALTER TABLE runs_input_mapping DROP CONSTRAINT runs_input_mapping_run_uuid_fkey;
