-- Runs under the name that their job has now.
-- readers: Marquez' server
-- reads: jobs, jobs_view, runs
CREATE VIEW runs_view AS
SELECT
    run.uuid,
    run.created_at,
    run.updated_at,
    run.parent_run_uuid,
    run.job_version_uuid,
    run.run_args_uuid,
    run.nominal_start_time,
    run.nominal_end_time,
    run.current_run_state,
    run.start_run_state_uuid,
    run.end_run_state_uuid,
    run.external_id,
    run.location,
    run.transitioned_at,
    run.started_at,
    run.ended_at,
    run.job_context_uuid,
    run.job_uuid,
    coalesce(target.name, job.name) AS job_name,
    coalesce(target.namespace_name, job.namespace_name) AS namespace_name
FROM runs AS run
JOIN jobs AS job ON job.uuid = run.job_uuid
LEFT JOIN jobs_view AS target ON target.uuid = job.symlink_target_uuid;

COMMENT ON VIEW runs_view IS 'Runs under the name that their job has now. Marquez reads it.';
