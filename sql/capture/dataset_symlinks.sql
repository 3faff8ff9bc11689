-- Rendered from model/tables/dataset_symlinks.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_symlinks() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_symlinks')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_symlinks (change_xid, change_number, copies, dataset_uuid, name, namespace_uuid, type, is_primary, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_uuid, name, namespace_uuid, type, is_primary, created_at
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_symlinks (change_xid, change_number, copies, dataset_uuid, name, namespace_uuid, type, is_primary, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_uuid, name, namespace_uuid, type, is_primary, created_at
        FROM (
            SELECT -1 AS copies, dataset_uuid, name, namespace_uuid, type, is_primary, created_at FROM old_rows
            UNION ALL
            SELECT 1, dataset_uuid, name, namespace_uuid, type, is_primary, created_at FROM new_rows
        ) AS images
        GROUP BY dataset_uuid, name, namespace_uuid, type, is_primary, created_at
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_symlinks (change_xid, change_number, copies, dataset_uuid, name, namespace_uuid, type, is_primary, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, name, namespace_uuid, type, is_primary, created_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_symlinks (change_xid, change_number, copies, dataset_uuid, name, namespace_uuid, type, is_primary, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, name, namespace_uuid, type, is_primary, created_at
        FROM public.dataset_symlinks;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_symlinks_capture_insert AFTER INSERT ON dataset_symlinks
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_symlinks();

CREATE OR REPLACE TRIGGER dataset_symlinks_capture_update AFTER UPDATE ON dataset_symlinks
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_symlinks();

CREATE OR REPLACE TRIGGER dataset_symlinks_capture_delete AFTER DELETE ON dataset_symlinks
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_symlinks();

CREATE OR REPLACE TRIGGER dataset_symlinks_capture_truncate BEFORE TRUNCATE ON dataset_symlinks
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_symlinks();

ALTER TABLE dataset_symlinks
ENABLE ALWAYS TRIGGER dataset_symlinks_capture_insert,
ENABLE ALWAYS TRIGGER dataset_symlinks_capture_update,
ENABLE ALWAYS TRIGGER dataset_symlinks_capture_delete,
ENABLE ALWAYS TRIGGER dataset_symlinks_capture_truncate;
