-- The schema versions of a chunk.
DELETE FROM dataset_schema_versions AS stored
USING leaving_schema_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.uuid = leaving.uuid
  AND NOT EXISTS (SELECT FROM dataset_versions WHERE dataset_schema_version_uuid = leaving.uuid)
