-- Rendered from model/tables/job_versions.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_job_versions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('job_versions')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.job_versions (change_xid, change_number, copies, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.job_versions (change_xid, change_number, copies, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name
        FROM (
            SELECT -1 AS copies, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.job_versions (change_xid, change_number, copies, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name
        FROM old_rows;
    ELSE
        INSERT INTO changes.job_versions (change_xid, change_number, copies, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, job_uuid, version, location, latest_run_uuid, job_context_uuid, namespace_uuid, namespace_name, job_name
        FROM public.job_versions;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER job_versions_capture_insert AFTER INSERT ON job_versions
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions();

CREATE OR REPLACE TRIGGER job_versions_capture_update AFTER UPDATE ON job_versions
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions();

CREATE OR REPLACE TRIGGER job_versions_capture_delete AFTER DELETE ON job_versions
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions();

CREATE OR REPLACE TRIGGER job_versions_capture_truncate BEFORE TRUNCATE ON job_versions
FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions();

ALTER TABLE job_versions
ENABLE ALWAYS TRIGGER job_versions_capture_insert,
ENABLE ALWAYS TRIGGER job_versions_capture_update,
ENABLE ALWAYS TRIGGER job_versions_capture_delete,
ENABLE ALWAYS TRIGGER job_versions_capture_truncate;
