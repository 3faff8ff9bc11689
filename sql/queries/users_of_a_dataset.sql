-- Which jobs read or write a dataset now, since when, and when each last ran.
-- parameters: dataset
-- optional: namespace
\if :{?namespace}
\else
\set namespace ''
\endif
SELECT
    CASE mapped.io_type WHEN 'INPUT' THEN 'reads' ELSE 'writes' END COLLATE "C" AS uses,
    job.namespace_name COLLATE "C" AS job_namespace,
    job.name COLLATE "C" AS job,
    mapped.made_current_at AT TIME ZONE 'UTC' AS since,
    last_run.created_at AS last_run_at,
    last_run.current_run_state AS last_run_state
FROM datasets AS dataset
JOIN job_versions_io_mapping AS mapped ON mapped.dataset_uuid = dataset.uuid AND mapped.is_current_job_version
JOIN jobs AS job ON job.uuid = mapped.job_uuid
LEFT JOIN LATERAL (
    SELECT created_at, current_run_state
    FROM runs
    WHERE runs.job_uuid = job.uuid
    ORDER BY transitioned_at DESC NULLS LAST
    LIMIT 1
) AS last_run ON true
WHERE dataset.name = :'dataset' AND (:'namespace' = '' OR dataset.namespace_name = :'namespace')
ORDER BY 1 DESC, 2, 3;
