-- Which versions each run has read.
-- again: An input reads another version.
-- reads: dataset_mentions, moved_reads, slice_mentions
-- writes: runs_input_mapping
-- removes: runs_input_mapping
-- before: model/derive/unreferenced
--
-- A run is mapped to each version that one of its events read.

INSERT INTO runs_input_mapping (run_uuid, dataset_version_uuid)
SELECT run_uuid, version_uuid
FROM (
    SELECT run_uuid, version_uuid FROM slice_mentions WHERE role = input_role() AND run_uuid IS NOT NULL AND NOT is_purged
    UNION
    SELECT run_uuid, version_uuid FROM moved_reads WHERE run_uuid IS NOT NULL AND NOT is_purged
) AS read
WHERE NOT EXISTS (
    SELECT
    FROM runs_input_mapping AS stored
    WHERE stored.run_uuid = read.run_uuid AND stored.dataset_version_uuid = read.version_uuid
)
ORDER BY run_uuid, version_uuid;

-- A run that has read one version under two datasets reads it still if one of the reads moves away.
DELETE FROM runs_input_mapping AS mapped
USING (
    SELECT run_uuid, old_version_uuid FROM moved_reads WHERE run_uuid IS NOT NULL
    EXCEPT
    SELECT mention.run_uuid, mention.version_uuid
    FROM (SELECT DISTINCT run_uuid FROM moved_reads) AS moved
    JOIN dataset_mentions AS mention ON mention.run_uuid = moved.run_uuid AND mention.role = input_role()
) AS left_behind
WHERE mapped.run_uuid = left_behind.run_uuid AND mapped.dataset_version_uuid = left_behind.old_version_uuid;
