-- Mentions by the runs of a chunk that no version needs.
DELETE FROM dataset_mentions AS stored
USING leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.run_uuid = leaving.uuid
  AND NOT EXISTS (
      SELECT
      FROM needed_mentions AS needed
      WHERE needed.event_order = stored.event_order
        AND (needed.dataset_uuid, needed.role, needed.place) = (stored.dataset_uuid, stored.role, stored.place)
  )
