-- A run and its states are written, and leave, together: merges and retention keep the two references of a run to its states
-- themselves. Their indexes go with the foreign keys. Retention has found open runs by one of them: a small index of these alone
-- takes its place. Most jobs and runs have no parent, and need no entry in the index by it. Each old index goes before the new
-- one is made, as in migration 12. Jobs are read once and runs twice for that, and no row is rewritten.
DROP INDEX jobs_parent_job_uuid_index;
ALTER TABLE runs
    DROP CONSTRAINT runs_start_run_state_uuid_fkey,
    DROP CONSTRAINT runs_end_run_state_uuid_fkey;
DROP INDEX runs_start_run_state_uuid_index;
DROP INDEX runs_end_run_state_uuid_index;
DROP INDEX runs_parent_run_uuid_index;
CREATE INDEX jobs_parent_job_uuid_index ON jobs (parent_job_uuid) WHERE parent_job_uuid IS NOT NULL;
CREATE INDEX runs_parent_run_uuid_index ON runs (parent_run_uuid) WHERE parent_run_uuid IS NOT NULL;
CREATE INDEX runs_open_index ON runs (created_at) WHERE end_run_state_uuid IS NULL;
COMMENT ON INDEX jobs_parent_job_uuid_index IS 'Children of a job; removal of a job.';
COMMENT ON INDEX runs_parent_run_uuid_index IS 'Children of a run; removal of a run.';
COMMENT ON INDEX runs_open_index IS 'Runs that have not ended, as retention keeps the newest event of each.';
