-- The other job events of a chunk are facts for others from now on.
UPDATE event_ledger AS stored
SET is_purged = true, job_facets_uuid = NULL
FROM old_job_events AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.event_order = leaving.event_order
