-- What the job events of a chunk have named is a fact for others from now on, where a version needs it.
UPDATE dataset_mentions AS stored
SET is_purged = true, facets_uuid = NULL, io_facets_uuid = NULL, lineage_uuid = NULL
FROM leaving_events AS leaving
JOIN needed_mentions AS needed USING (event_order)
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.run_uuid IS NULL
  AND (stored.dataset_uuid, stored.role, stored.event_order, stored.place)
      = (needed.dataset_uuid, needed.role, needed.event_order, needed.place)
