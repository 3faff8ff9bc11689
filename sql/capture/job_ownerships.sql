-- Rendered from model/tables/job_ownerships.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_job_ownerships() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('job_ownerships')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.job_ownerships (change_xid, change_number, copies, job_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, job_uuid, owner_uuid, type, reported_at
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.job_ownerships (change_xid, change_number, copies, job_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), job_uuid, owner_uuid, type, reported_at
        FROM (
            SELECT -1 AS copies, job_uuid, owner_uuid, type, reported_at FROM old_rows
            UNION ALL
            SELECT 1, job_uuid, owner_uuid, type, reported_at FROM new_rows
        ) AS images
        GROUP BY job_uuid, owner_uuid, type, reported_at
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.job_ownerships (change_xid, change_number, copies, job_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, job_uuid, owner_uuid, type, reported_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.job_ownerships (change_xid, change_number, copies, job_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, job_uuid, owner_uuid, type, reported_at
        FROM public.job_ownerships;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER job_ownerships_capture_insert AFTER INSERT ON job_ownerships
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_ownerships();

CREATE OR REPLACE TRIGGER job_ownerships_capture_update AFTER UPDATE ON job_ownerships
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_ownerships();

CREATE OR REPLACE TRIGGER job_ownerships_capture_delete AFTER DELETE ON job_ownerships
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_ownerships();

CREATE OR REPLACE TRIGGER job_ownerships_capture_truncate BEFORE TRUNCATE ON job_ownerships
FOR EACH STATEMENT EXECUTE FUNCTION capture_job_ownerships();

ALTER TABLE job_ownerships
ENABLE ALWAYS TRIGGER job_ownerships_capture_insert,
ENABLE ALWAYS TRIGGER job_ownerships_capture_update,
ENABLE ALWAYS TRIGGER job_ownerships_capture_delete,
ENABLE ALWAYS TRIGGER job_ownerships_capture_truncate;
