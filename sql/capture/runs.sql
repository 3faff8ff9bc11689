-- Rendered from model/tables/runs.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_runs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('runs')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.runs (change_xid, change_number, copies, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.runs (change_xid, change_number, copies, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid
        FROM (
            SELECT -1 AS copies, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.runs (change_xid, change_number, copies, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.runs (change_xid, change_number, copies, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, job_version_uuid, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, job_context_uuid, parent_run_uuid, job_uuid
        FROM public.runs;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER runs_capture_insert AFTER INSERT ON runs
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_runs();

CREATE OR REPLACE TRIGGER runs_capture_update AFTER UPDATE ON runs
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_runs();

CREATE OR REPLACE TRIGGER runs_capture_delete AFTER DELETE ON runs
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_runs();

CREATE OR REPLACE TRIGGER runs_capture_truncate BEFORE TRUNCATE ON runs
FOR EACH STATEMENT EXECUTE FUNCTION capture_runs();

ALTER TABLE runs
ENABLE ALWAYS TRIGGER runs_capture_insert,
ENABLE ALWAYS TRIGGER runs_capture_update,
ENABLE ALWAYS TRIGGER runs_capture_delete,
ENABLE ALWAYS TRIGGER runs_capture_truncate;
