-- What a run that stays has made of its job stays.
UPDATE old_job_versions AS version
SET stays = 'made by a run that stays'
WHERE stays IS NULL
  AND EXISTS (
      SELECT
      FROM event_ledger AS moment
      WHERE moment.job_version_uuid = version.uuid
        AND moment.run_uuid IS NOT NULL
        AND NOT moment.is_purged
        AND NOT EXISTS (SELECT FROM old_runs AS old WHERE old.uuid = moment.run_uuid AND old.stays IS NULL)
  )
