-- The runs of a job that turns out to stay stay as without a policy of entities.
UPDATE old_runs AS run
SET stays = run.stays_with_job
FROM old_jobs AS job
WHERE job.uuid = run.job_uuid AND job.stays IS NOT NULL AND run.stays IS NULL AND run.stays_with_job IS NOT NULL
