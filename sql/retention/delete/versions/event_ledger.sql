-- Dataset events that have described the versions of a chunk.
DELETE FROM event_ledger AS stored
USING leaving_versions AS leaving, dataset_mentions AS mention
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND mention.version_uuid = leaving.uuid
  AND mention.run_uuid IS NULL
  AND stored.event_order = mention.event_order
  AND stored.job_uuid IS NULL
