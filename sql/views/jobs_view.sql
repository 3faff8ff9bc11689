-- Jobs that are shown: not hidden, and not replaced by another name.
-- readers: Marquez' server
-- reads: jobs
CREATE VIEW jobs_view AS
SELECT
    job.uuid,
    job.name,
    job.namespace_name,
    job.simple_name,
    job.parent_job_uuid,
    parent.name::text AS parent_job_name,
    job.type,
    job.created_at,
    job.updated_at,
    job.namespace_uuid,
    job.description,
    job.current_version_uuid,
    job.current_job_context_uuid,
    job.current_location,
    job.current_inputs,
    job.symlink_target_uuid,
    job.parent_job_uuid::character(36) AS parent_job_uuid_string,
    job.aliases,
    job.current_run_uuid
FROM jobs AS job
LEFT JOIN jobs AS parent ON parent.uuid = job.parent_job_uuid
WHERE job.is_hidden IS FALSE AND job.symlink_target_uuid IS NULL;

COMMENT ON VIEW jobs_view IS 'Jobs that are shown: not hidden, and not replaced by another name. Marquez reads it.';
