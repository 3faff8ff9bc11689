-- What the job events of a chunk have named, and no version needs.
DELETE FROM dataset_mentions AS stored
USING old_job_events AS leaving
JOIN leaving_mentions AS mention USING (event_order)
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.run_uuid IS NULL
  AND (stored.dataset_uuid, stored.role, stored.event_order, stored.place)
      = (mention.dataset_uuid, mention.role, mention.event_order, mention.place)
