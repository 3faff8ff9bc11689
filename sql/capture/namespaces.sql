-- Rendered from model/tables/namespaces.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_namespaces() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('namespaces')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.namespaces (change_xid, change_number, copies, uuid, created_at, name, description, current_owner_name, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, name, description, current_owner_name, is_hidden
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.namespaces (change_xid, change_number, copies, uuid, created_at, name, description, current_owner_name, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, name, description, current_owner_name, is_hidden
        FROM (
            SELECT -1 AS copies, uuid, created_at, name, description, current_owner_name, is_hidden FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, name, description, current_owner_name, is_hidden FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, name, description, current_owner_name, is_hidden
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.namespaces (change_xid, change_number, copies, uuid, created_at, name, description, current_owner_name, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, name, description, current_owner_name, is_hidden
        FROM old_rows;
    ELSE
        INSERT INTO changes.namespaces (change_xid, change_number, copies, uuid, created_at, name, description, current_owner_name, is_hidden)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, name, description, current_owner_name, is_hidden
        FROM public.namespaces;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER namespaces_capture_insert AFTER INSERT ON namespaces
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_namespaces();

CREATE OR REPLACE TRIGGER namespaces_capture_update AFTER UPDATE ON namespaces
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_namespaces();

CREATE OR REPLACE TRIGGER namespaces_capture_delete AFTER DELETE ON namespaces
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_namespaces();

CREATE OR REPLACE TRIGGER namespaces_capture_truncate BEFORE TRUNCATE ON namespaces
FOR EACH STATEMENT EXECUTE FUNCTION capture_namespaces();

ALTER TABLE namespaces
ENABLE ALWAYS TRIGGER namespaces_capture_insert,
ENABLE ALWAYS TRIGGER namespaces_capture_update,
ENABLE ALWAYS TRIGGER namespaces_capture_delete,
ENABLE ALWAYS TRIGGER namespaces_capture_truncate;
