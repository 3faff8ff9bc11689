-- Rendered from model/tables/jobs.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_jobs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('jobs')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.jobs (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs::text AS current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.jobs (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid
        FROM (
            SELECT -1 AS copies, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs::text AS current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid FROM old_rows
            UNION ALL
            SELECT 1, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs::text AS current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid FROM new_rows
        ) AS images
        GROUP BY uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.jobs (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs::text AS current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.jobs (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, namespace_uuid, simple_name, description, current_version_uuid, namespace_name, current_job_context_uuid, current_location, current_inputs::text AS current_inputs, symlink_target_uuid, parent_job_uuid, parent_job_uuid_string, is_hidden, name, aliases, current_run_uuid
        FROM public.jobs;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER jobs_capture_insert AFTER INSERT ON jobs
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs();

CREATE OR REPLACE TRIGGER jobs_capture_update AFTER UPDATE ON jobs
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs();

CREATE OR REPLACE TRIGGER jobs_capture_delete AFTER DELETE ON jobs
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs();

CREATE OR REPLACE TRIGGER jobs_capture_truncate BEFORE TRUNCATE ON jobs
FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs();

ALTER TABLE jobs
ENABLE ALWAYS TRIGGER jobs_capture_insert,
ENABLE ALWAYS TRIGGER jobs_capture_update,
ENABLE ALWAYS TRIGGER jobs_capture_delete,
ENABLE ALWAYS TRIGGER jobs_capture_truncate;
