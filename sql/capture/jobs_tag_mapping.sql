-- Rendered from model/tables/jobs_tag_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_jobs_tag_mapping() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('jobs_tag_mapping')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.jobs_tag_mapping (change_xid, change_number, copies, job_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, job_uuid, tag_uuid, tagged_at, is_reported
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.jobs_tag_mapping (change_xid, change_number, copies, job_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), job_uuid, tag_uuid, tagged_at, is_reported
        FROM (
            SELECT -1 AS copies, job_uuid, tag_uuid, tagged_at, is_reported FROM old_rows
            UNION ALL
            SELECT 1, job_uuid, tag_uuid, tagged_at, is_reported FROM new_rows
        ) AS images
        GROUP BY job_uuid, tag_uuid, tagged_at, is_reported
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.jobs_tag_mapping (change_xid, change_number, copies, job_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, job_uuid, tag_uuid, tagged_at, is_reported
        FROM old_rows;
    ELSE
        INSERT INTO changes.jobs_tag_mapping (change_xid, change_number, copies, job_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, job_uuid, tag_uuid, tagged_at, is_reported
        FROM public.jobs_tag_mapping;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER jobs_tag_mapping_capture_insert AFTER INSERT ON jobs_tag_mapping
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_tag_mapping();

CREATE OR REPLACE TRIGGER jobs_tag_mapping_capture_update AFTER UPDATE ON jobs_tag_mapping
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_tag_mapping();

CREATE OR REPLACE TRIGGER jobs_tag_mapping_capture_delete AFTER DELETE ON jobs_tag_mapping
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_tag_mapping();

CREATE OR REPLACE TRIGGER jobs_tag_mapping_capture_truncate BEFORE TRUNCATE ON jobs_tag_mapping
FOR EACH STATEMENT EXECUTE FUNCTION capture_jobs_tag_mapping();

ALTER TABLE jobs_tag_mapping
ENABLE ALWAYS TRIGGER jobs_tag_mapping_capture_insert,
ENABLE ALWAYS TRIGGER jobs_tag_mapping_capture_update,
ENABLE ALWAYS TRIGGER jobs_tag_mapping_capture_delete,
ENABLE ALWAYS TRIGGER jobs_tag_mapping_capture_truncate;
