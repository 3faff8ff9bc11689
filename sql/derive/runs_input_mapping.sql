-- A run is mapped to each version that one of its events read.
INSERT INTO runs_input_mapping (run_uuid, dataset_version_uuid)
SELECT run_uuid, version_uuid
FROM (
    SELECT run_uuid, version_uuid FROM slice_mentions WHERE role = 1 AND run_uuid IS NOT NULL
    UNION
    SELECT run_uuid, version_uuid FROM moved_reads WHERE run_uuid IS NOT NULL
) AS read
ORDER BY run_uuid, version_uuid
ON CONFLICT DO NOTHING;

DELETE FROM runs_input_mapping AS mapped
USING (SELECT DISTINCT run_uuid, dataset_uuid, old_version_uuid FROM moved_reads) AS moved
WHERE mapped.run_uuid = moved.run_uuid
  AND mapped.dataset_version_uuid = moved.old_version_uuid
  AND NOT EXISTS (
      SELECT
      FROM dataset_mentions AS mention
      WHERE mention.origin_uuid = moved.run_uuid
        AND mention.role = 1
        AND mention.dataset_uuid = moved.dataset_uuid
        AND mention.version_uuid = moved.old_version_uuid
  );
