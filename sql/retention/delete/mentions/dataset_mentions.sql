-- The mentions of a chunk that nothing needs any more, of what was deleted before.
DELETE FROM dataset_mentions AS stored
USING leaving_mentions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND (stored.dataset_uuid, stored.role, stored.event_order, stored.place)
      = (leaving.dataset_uuid, leaving.role, leaving.event_order, leaving.place)
