-- Rendered from model/tables/jobs_fqn.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_jobs_fqn() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('jobs_fqn')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.jobs_fqn (change_xid, change_number, copies, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.jobs_fqn (change_xid, change_number, copies, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn
        FROM (
            SELECT -1 AS copies, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn FROM old_rows
            UNION ALL
            SELECT 1, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn FROM new_rows
        ) AS images
        GROUP BY uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.jobs_fqn (change_xid, change_number, copies, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn
        FROM old_rows;
    ELSE
        INSERT INTO changes.jobs_fqn (change_xid, change_number, copies, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, namespace_uuid, namespace_name, parent_job_name, aliases, job_fqn
        FROM public.jobs_fqn;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER jobs_fqn_capture_insert AFTER INSERT ON jobs_fqn
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_fqn();

CREATE OR REPLACE TRIGGER jobs_fqn_capture_update AFTER UPDATE ON jobs_fqn
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_fqn();

CREATE OR REPLACE TRIGGER jobs_fqn_capture_delete AFTER DELETE ON jobs_fqn
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_fqn();

CREATE OR REPLACE TRIGGER jobs_fqn_capture_truncate BEFORE TRUNCATE ON jobs_fqn
FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_fqn();

ALTER TABLE jobs_fqn
ENABLE ALWAYS TRIGGER jobs_fqn_capture_insert,
ENABLE ALWAYS TRIGGER jobs_fqn_capture_update,
ENABLE ALWAYS TRIGGER jobs_fqn_capture_delete,
ENABLE ALWAYS TRIGGER jobs_fqn_capture_truncate;
