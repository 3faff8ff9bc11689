-- What else they have named is a fact for others from now on.
UPDATE dataset_mentions AS stored
SET is_purged = true, facets_uuid = NULL, io_facets_uuid = NULL, lineage_uuid = NULL
FROM old_job_events AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.run_uuid IS NULL AND stored.event_order = leaving.event_order
