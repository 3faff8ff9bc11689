-- Faults of facets that the runs of a chunk had.
DELETE FROM unreadable_facets AS stored
USING leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.run_uuid = leaving.uuid
