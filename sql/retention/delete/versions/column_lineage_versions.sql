-- Column lineage to and from the versions of a chunk.
DELETE FROM column_lineage_versions AS stored
USING leaving_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND (stored.output_dataset_version_uuid = leaving.uuid OR stored.input_dataset_version_uuid = leaving.uuid)
