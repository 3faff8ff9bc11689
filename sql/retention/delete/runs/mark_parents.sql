-- What else these runs have said of their parents is a fact for others from now on.
UPDATE parent_mentions AS stored
SET is_purged = true
FROM leaving_runs AS leaving, doubtful_parents AS doubtful
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND doubtful.run_uuid = leaving.uuid
  AND (stored.parent_run_uuid, stored.event_order) = (doubtful.parent_run_uuid, doubtful.event_order)
