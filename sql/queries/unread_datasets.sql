-- Datasets that some job writes and none reads, as jobs are now, and who writes them. The store's own are of the namespace
-- lineage-store, and are left out unless it is named.
-- optional: namespace
\if :{?namespace}
\else
\set namespace ''
\endif
SELECT
    dataset.namespace_name COLLATE "C" AS namespace,
    dataset.name COLLATE "C" AS dataset,
    job.name COLLATE "C" AS written_by,
    dataset.updated_at AS last_seen
FROM datasets AS dataset
JOIN job_versions_io_mapping AS writing
  ON writing.dataset_uuid = dataset.uuid AND writing.io_type = 'OUTPUT' AND writing.is_current_job_version
JOIN jobs AS job ON job.uuid = writing.job_uuid
WHERE CASE WHEN :'namespace' = '' THEN dataset.namespace_name <> 'lineage-store' ELSE dataset.namespace_name = :'namespace' END
  AND NOT dataset.is_hidden
  AND NOT dataset.is_deleted
  AND NOT EXISTS (
      SELECT
      FROM job_versions_io_mapping AS reading
      WHERE reading.dataset_uuid = dataset.uuid AND reading.io_type = 'INPUT' AND reading.is_current_job_version
  )
ORDER BY 1, 2, 3;
