-- Runs that have failed or were aborted since a moment, the last first.
-- parameters: since
-- optional: namespace
\if :{?namespace}
\else
\set namespace ''
\endif
SELECT
    run.ended_at AT TIME ZONE 'UTC' AS ended_at,
    run.current_run_state AS state,
    job.namespace_name COLLATE "C" AS job_namespace,
    job.name COLLATE "C" AS job,
    run.uuid AS run
FROM runs AS run
JOIN jobs AS job ON job.uuid = run.job_uuid
WHERE run.current_run_state IN ('FAILED', 'ABORTED')
  AND run.transitioned_at >= :'since'::timestamptz AT TIME ZONE 'UTC'
  AND (:'namespace' = '' OR job.namespace_name = :'namespace')
ORDER BY run.transitioned_at DESC, run.uuid;
