-- old_job_events: job events from before the cutoff, but for those that stay whole.
CREATE TEMP TABLE old_job_events AS
SELECT ledger.event_order, row_number() OVER (ORDER BY ledger.event_order) AS number
FROM event_ledger AS ledger
JOIN jobs AS job ON job.uuid = ledger.job_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name
WHERE ledger.run_uuid IS NULL
  AND NOT ledger.is_purged
  AND ledger.event_time < cutoff.before
  AND (NOT cutoff.is_emptied OR job.uuid IN (SELECT uuid FROM leaving_jobs))
  AND NOT EXISTS (SELECT FROM staying_moments AS other WHERE other.event_order = ledger.event_order)
  AND NOT EXISTS (SELECT FROM mentions_held AS held WHERE held.event_order = ledger.event_order)
  AND NOT EXISTS (
      SELECT
      FROM jobs_held AS held
      WHERE held.uuid = job.uuid
        AND (held.events_since IS NULL OR held.events_since <= ledger.event_time)
        AND (held.events_until IS NULL OR held.events_until > ledger.event_time)
  );

CREATE UNIQUE INDEX ON old_job_events (event_order);
ANALYZE old_job_events;
