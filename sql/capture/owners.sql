-- Rendered from model/tables/owners.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_owners() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('owners')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.owners (change_xid, change_number, copies, uuid, created_at, name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, name
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.owners (change_xid, change_number, copies, uuid, created_at, name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, name
        FROM (
            SELECT -1 AS copies, uuid, created_at, name FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, name FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, name
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.owners (change_xid, change_number, copies, uuid, created_at, name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, name
        FROM old_rows;
    ELSE
        INSERT INTO changes.owners (change_xid, change_number, copies, uuid, created_at, name)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, name
        FROM public.owners;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER owners_capture_insert AFTER INSERT ON owners
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_owners();

CREATE OR REPLACE TRIGGER owners_capture_update AFTER UPDATE ON owners
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_owners();

CREATE OR REPLACE TRIGGER owners_capture_delete AFTER DELETE ON owners
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_owners();

CREATE OR REPLACE TRIGGER owners_capture_truncate BEFORE TRUNCATE ON owners
FOR EACH STATEMENT EXECUTE FUNCTION capture_owners();

ALTER TABLE owners
ENABLE ALWAYS TRIGGER owners_capture_insert,
ENABLE ALWAYS TRIGGER owners_capture_update,
ENABLE ALWAYS TRIGGER owners_capture_delete,
ENABLE ALWAYS TRIGGER owners_capture_truncate;
