-- Rendered from model/tables/job_versions_io_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_job_versions_io_mapping() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('job_versions_io_mapping')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.job_versions_io_mapping (change_xid, change_number, copies, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.job_versions_io_mapping (change_xid, change_number, copies, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at
        FROM (
            SELECT -1 AS copies, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at FROM old_rows
            UNION ALL
            SELECT 1, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at FROM new_rows
        ) AS images
        GROUP BY job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.job_versions_io_mapping (change_xid, change_number, copies, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.job_versions_io_mapping (change_xid, change_number, copies, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, job_version_uuid, dataset_uuid, io_type, job_uuid, job_symlink_target_uuid, is_current_job_version, made_current_at
        FROM public.job_versions_io_mapping;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER job_versions_io_mapping_capture_insert AFTER INSERT ON job_versions_io_mapping
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions_io_mapping();

CREATE OR REPLACE TRIGGER job_versions_io_mapping_capture_update AFTER UPDATE ON job_versions_io_mapping
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions_io_mapping();

CREATE OR REPLACE TRIGGER job_versions_io_mapping_capture_delete AFTER DELETE ON job_versions_io_mapping
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions_io_mapping();

CREATE OR REPLACE TRIGGER job_versions_io_mapping_capture_truncate BEFORE TRUNCATE ON job_versions_io_mapping
FOR EACH STATEMENT EXECUTE FUNCTION capture_job_versions_io_mapping();

ALTER TABLE job_versions_io_mapping
ENABLE ALWAYS TRIGGER job_versions_io_mapping_capture_insert,
ENABLE ALWAYS TRIGGER job_versions_io_mapping_capture_update,
ENABLE ALWAYS TRIGGER job_versions_io_mapping_capture_delete,
ENABLE ALWAYS TRIGGER job_versions_io_mapping_capture_truncate;
