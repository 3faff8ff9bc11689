-- Column lineage that the runs of a chunk have said.
DELETE FROM column_lineage_versions AS stored
USING leaving_runs AS leaving, dataset_mentions AS written
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND written.run_uuid = leaving.uuid
  AND written.role = output_role()
  AND stored.output_dataset_version_uuid = written.version_uuid
