-- Rendered from model/tables/datasets.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_datasets() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('datasets')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.datasets (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.datasets (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden
        FROM (
            SELECT -1 AS copies, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden FROM old_rows
            UNION ALL
            SELECT 1, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden FROM new_rows
        ) AS images
        GROUP BY uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.datasets (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden
        FROM old_rows;
    ELSE
        INSERT INTO changes.datasets (change_xid, change_number, copies, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, namespace_uuid, source_uuid, name, physical_name, description, current_version_uuid, last_modified_at, namespace_name, source_name, is_deleted, is_hidden
        FROM public.datasets;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER datasets_capture_insert AFTER INSERT ON datasets
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_datasets();

CREATE OR REPLACE TRIGGER datasets_capture_update AFTER UPDATE ON datasets
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_datasets();

CREATE OR REPLACE TRIGGER datasets_capture_delete AFTER DELETE ON datasets
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_datasets();

CREATE OR REPLACE TRIGGER datasets_capture_truncate BEFORE TRUNCATE ON datasets
FOR EACH STATEMENT EXECUTE FUNCTION capture_datasets();

ALTER TABLE datasets
ENABLE ALWAYS TRIGGER datasets_capture_insert,
ENABLE ALWAYS TRIGGER datasets_capture_update,
ENABLE ALWAYS TRIGGER datasets_capture_delete,
ENABLE ALWAYS TRIGGER datasets_capture_truncate;
