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
