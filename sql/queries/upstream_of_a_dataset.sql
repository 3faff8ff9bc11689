-- Everything that a dataset is made of, step by step: which job wrote it, and what that job read.
-- parameters: dataset
-- optional: namespace
\if :{?namespace}
\else
\set namespace ''
\endif
WITH RECURSIVE steps AS (
    SELECT 1 AS step, uuid AS dataset_uuid
    FROM datasets
    WHERE name = :'dataset' AND (:'namespace' = '' OR namespace_name = :'namespace')
    UNION
    SELECT steps.step + 1, reading.dataset_uuid
    FROM steps
    JOIN job_versions_io_mapping AS writing
      ON writing.dataset_uuid = steps.dataset_uuid AND writing.io_type = 'OUTPUT' AND writing.is_current_job_version
    JOIN job_versions_io_mapping AS reading
      ON reading.job_version_uuid = writing.job_version_uuid AND reading.io_type = 'INPUT'
    WHERE steps.step < 10
)
SELECT
    min(steps.step) AS step,
    datasets.name COLLATE "C" AS dataset,
    coalesce(jobs.simple_name, 'unknown') COLLATE "C" AS written_by
FROM steps
JOIN datasets ON datasets.uuid = steps.dataset_uuid
LEFT JOIN job_versions_io_mapping AS writing
  ON writing.dataset_uuid = steps.dataset_uuid AND writing.io_type = 'OUTPUT' AND writing.is_current_job_version
LEFT JOIN jobs ON jobs.uuid = writing.job_uuid
GROUP BY datasets.name, jobs.simple_name
ORDER BY step, dataset, written_by;
