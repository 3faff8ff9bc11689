-- Verdicts on the schemas of the versions of a chunk.
DELETE FROM dataset_schema_verdicts AS stored
USING leaving_verdicts AS leaving
WHERE leaving.version_number > %(after)s AND leaving.version_number <= %(until)s
  AND (stored.dataset_uuid, stored.event_order) = (leaving.dataset_uuid, leaving.event_order)
