-- Rendered from model/tables/dataset_fields.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_fields() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_fields')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_fields (change_xid, change_number, copies, uuid, type, created_at, dataset_uuid, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, type, created_at, dataset_uuid, name, description
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_fields (change_xid, change_number, copies, uuid, type, created_at, dataset_uuid, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, type, created_at, dataset_uuid, name, description
        FROM (
            SELECT -1 AS copies, uuid, type, created_at, dataset_uuid, name, description FROM old_rows
            UNION ALL
            SELECT 1, uuid, type, created_at, dataset_uuid, name, description FROM new_rows
        ) AS images
        GROUP BY uuid, type, created_at, dataset_uuid, name, description
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_fields (change_xid, change_number, copies, uuid, type, created_at, dataset_uuid, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, dataset_uuid, name, description
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_fields (change_xid, change_number, copies, uuid, type, created_at, dataset_uuid, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, dataset_uuid, name, description
        FROM public.dataset_fields;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_fields_capture_insert AFTER INSERT ON dataset_fields
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields();

CREATE OR REPLACE TRIGGER dataset_fields_capture_update AFTER UPDATE ON dataset_fields
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields();

CREATE OR REPLACE TRIGGER dataset_fields_capture_delete AFTER DELETE ON dataset_fields
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields();

CREATE OR REPLACE TRIGGER dataset_fields_capture_truncate BEFORE TRUNCATE ON dataset_fields
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields();

ALTER TABLE dataset_fields
ENABLE ALWAYS TRIGGER dataset_fields_capture_insert,
ENABLE ALWAYS TRIGGER dataset_fields_capture_update,
ENABLE ALWAYS TRIGGER dataset_fields_capture_delete,
ENABLE ALWAYS TRIGGER dataset_fields_capture_truncate;
