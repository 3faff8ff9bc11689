-- A job stays with each run that an event of it names, as its versions are of that job, with a version of it that a legal hold on a
-- dataset keeps, and with the jobs that are part of it or go by another name of it.
UPDATE old_jobs AS job
SET stays = 'used by what stays'
WHERE stays IS NULL
  AND (
      EXISTS (
          SELECT
          FROM jobs_of_runs AS named
          LEFT JOIN old_runs AS old ON old.uuid = named.run_uuid
          WHERE named.job_uuid = job.uuid AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      )
      OR EXISTS (
          SELECT FROM old_job_versions AS version WHERE version.job_uuid = job.uuid AND version.stays = 'legal hold'
      )
      OR EXISTS (
          SELECT
          FROM jobs AS other
          LEFT JOIN old_jobs AS old ON old.uuid = other.uuid
          WHERE job.uuid IN (other.parent_job_uuid, other.symlink_target_uuid)
            AND other.uuid <> job.uuid
            AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      )
  )
