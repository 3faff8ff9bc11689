-- The jobs of a chunk name nothing any more, so that what they name may go before them, and they in any order.
UPDATE jobs AS stored
SET current_version_uuid = NULL, current_run_uuid = NULL, parent_job_uuid = NULL, symlink_target_uuid = NULL
FROM naming_jobs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.uuid = leaving.uuid
