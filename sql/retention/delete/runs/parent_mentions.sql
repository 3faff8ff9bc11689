-- What the runs of a chunk have said of their parents and nobody needs.
DELETE FROM parent_mentions AS stored
USING leaving_runs AS leaving, doubtful_parents AS doubtful
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND doubtful.run_uuid = leaving.uuid
  AND (stored.parent_run_uuid, stored.event_order) = (doubtful.parent_run_uuid, doubtful.event_order)
  AND NOT EXISTS (
      SELECT
      FROM needed_parents AS needed
      WHERE (needed.parent_run_uuid, needed.event_order) = (stored.parent_run_uuid, stored.event_order)
  )
