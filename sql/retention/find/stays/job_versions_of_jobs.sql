-- So do its versions.
UPDATE old_job_versions AS version
SET stays = version.stays_with_job
FROM old_jobs AS job
WHERE job.uuid = version.job_uuid AND job.stays IS NOT NULL AND version.stays IS NULL AND version.stays_with_job IS NOT NULL
