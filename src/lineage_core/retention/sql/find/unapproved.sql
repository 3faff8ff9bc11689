-- name: unapproved/leaving
-- What was found to go and is not in the plan stays.
WITH named AS (
    SELECT number, {planned} AS uuid FROM {leaving}
)
DELETE FROM {leaving} AS leaving
USING named
WHERE named.number = leaving.number
  AND NOT EXISTS (SELECT FROM approved WHERE approved.kind = %(kind)s AND approved.uuid = named.uuid)

-- name: unapproved/entities
-- A job or a dataset that is not in the plan stays, and one of which more is there by now than was planned.
UPDATE old_jobs AS job
SET stays = 'not in the plan'
WHERE stays IS NULL
  AND (
      NOT EXISTS (SELECT FROM approved WHERE kind = 'jobs' AND approved.uuid = job.uuid)
      OR EXISTS (
          SELECT
          FROM job_versions AS version
          WHERE version.job_uuid = job.uuid
            AND NOT EXISTS (SELECT FROM approved WHERE kind = 'job_versions' AND approved.uuid = version.uuid)
      )
      OR EXISTS (
          SELECT
          FROM event_ledger AS ledger
          WHERE ledger.job_uuid = job.uuid
            AND ledger.run_uuid IS NULL
            AND NOT ledger.is_purged
            AND NOT EXISTS (SELECT FROM approved WHERE kind = 'job_events' AND approved.uuid = event_key(ledger.event_order))
      )
  );

UPDATE old_datasets AS dataset
SET stays = 'not in the plan'
WHERE stays IS NULL
  AND (
      NOT EXISTS (SELECT FROM approved WHERE kind = 'datasets' AND approved.uuid = dataset.uuid)
      OR EXISTS (
          SELECT
          FROM dataset_versions AS version
          WHERE version.dataset_uuid = dataset.uuid
            AND NOT EXISTS (SELECT FROM approved WHERE kind = 'dataset_versions' AND approved.uuid = version.uuid)
      )
  );

-- name: unapproved/job_versions
-- A job version that is not in the plan stays, and one that a job event names which is not.
UPDATE old_job_versions AS old
SET stays = 'not in the plan'
WHERE stays IS NULL
  AND (
      NOT EXISTS (SELECT FROM approved WHERE kind = 'job_versions' AND approved.uuid = old.uuid)
      OR EXISTS (
          SELECT
          FROM event_ledger AS moment
          WHERE moment.job_version_uuid = old.uuid
            AND moment.run_uuid IS NULL
            AND NOT moment.is_purged
            AND NOT EXISTS (SELECT FROM approved WHERE kind = 'job_events' AND approved.uuid = event_key(moment.event_order))
      )
  );

-- name: unapproved/old_versions
-- A dataset version that is not in the plan stays.
UPDATE old_versions AS old
SET stays = 'not in the plan'
WHERE stays IS NULL AND NOT EXISTS (SELECT FROM approved WHERE kind = 'dataset_versions' AND approved.uuid = old.uuid);

-- name: unapproved/runs
-- A run that is not in the plan stays.
UPDATE old_runs AS old
SET stays = 'not in the plan'
WHERE stays IS NULL AND NOT EXISTS (SELECT FROM approved WHERE kind = 'runs' AND approved.uuid = old.uuid);
