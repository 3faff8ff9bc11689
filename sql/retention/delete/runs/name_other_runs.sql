-- Job versions whose last run is of a chunk name the last one that stays, if one does.
UPDATE job_versions AS stored
SET latest_run_uuid = (
    SELECT moment.run_uuid
    FROM event_ledger AS moment
    WHERE moment.job_version_uuid = stored.uuid
      AND moment.run_uuid IS NOT NULL
      AND NOT moment.is_purged
      AND NOT EXISTS (SELECT FROM leaving_runs AS other WHERE other.uuid = moment.run_uuid)
    ORDER BY is_ahead(moment.event_order), moment.event_order DESC
    LIMIT 1
)
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.latest_run_uuid = leaving.uuid
