-- The other events of these runs are facts for others from now on: nobody sees what they say of their runs.
UPDATE event_ledger AS stored
SET is_purged = true, run_facets_uuid = NULL, job_facets_uuid = NULL
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.run_uuid = leaving.uuid
