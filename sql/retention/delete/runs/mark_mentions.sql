-- The other mentions by these runs are facts for others from now on.
UPDATE dataset_mentions AS stored
SET is_purged = true, facets_uuid = NULL, io_facets_uuid = NULL, lineage_uuid = NULL
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.run_uuid = leaving.uuid
