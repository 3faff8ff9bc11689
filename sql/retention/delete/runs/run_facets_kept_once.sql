-- Facets that the runs of a chunk keep.
DELETE FROM run_facets_kept_once AS stored
USING leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.run_uuid = leaving.uuid
