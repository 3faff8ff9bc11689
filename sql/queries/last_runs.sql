-- The jobs, by when each last ran, with how long that took and how it ended; the last first.
-- optional: namespace, job
\if :{?namespace}
\else
\set namespace ''
\endif
\if :{?job}
\else
\set job ''
\endif
SELECT
    job.namespace_name COLLATE "C" AS job_namespace,
    job.name COLLATE "C" AS job,
    last_run.started_at AT TIME ZONE 'UTC' AS started_at,
    last_run.ended_at - last_run.started_at AS took,
    last_run.current_run_state AS state,
    last_run.uuid AS run
FROM jobs_view AS job
CROSS JOIN LATERAL (
    SELECT uuid, started_at, ended_at, current_run_state, transitioned_at
    FROM runs
    WHERE runs.job_uuid = job.uuid
    ORDER BY transitioned_at DESC NULLS LAST
    LIMIT 1
) AS last_run
WHERE (:'namespace' = '' OR job.namespace_name = :'namespace')
  AND (:'job' = '' OR job.name = :'job')
ORDER BY last_run.transitioned_at DESC NULLS LAST, 1, 2;
