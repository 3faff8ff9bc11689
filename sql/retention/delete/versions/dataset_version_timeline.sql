-- When the versions of a chunk were current.
DELETE FROM dataset_version_timeline AS stored
USING leaving_rows AS leaving
WHERE leaving.version_number > %(after)s AND leaving.version_number <= %(until)s
  AND (stored.dataset_uuid, stored.event_order, stored.is_written)
      = (leaving.dataset_uuid, leaving.event_order, leaving.is_written)
