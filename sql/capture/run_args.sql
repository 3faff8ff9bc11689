-- Rendered from model/tables/run_args.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_run_args() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('run_args')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.run_args (change_xid, change_number, copies, uuid, created_at, args, checksum)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, args, checksum
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.run_args (change_xid, change_number, copies, uuid, created_at, args, checksum)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, args, checksum
        FROM (
            SELECT -1 AS copies, uuid, created_at, args, checksum FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, args, checksum FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, args, checksum
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.run_args (change_xid, change_number, copies, uuid, created_at, args, checksum)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, args, checksum
        FROM old_rows;
    ELSE
        INSERT INTO changes.run_args (change_xid, change_number, copies, uuid, created_at, args, checksum)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, args, checksum
        FROM public.run_args;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER run_args_capture_insert AFTER INSERT ON run_args
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_args();

CREATE OR REPLACE TRIGGER run_args_capture_update AFTER UPDATE ON run_args
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_args();

CREATE OR REPLACE TRIGGER run_args_capture_delete AFTER DELETE ON run_args
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_args();

CREATE OR REPLACE TRIGGER run_args_capture_truncate BEFORE TRUNCATE ON run_args
FOR EACH STATEMENT EXECUTE FUNCTION capture_run_args();

ALTER TABLE run_args
ENABLE ALWAYS TRIGGER run_args_capture_insert,
ENABLE ALWAYS TRIGGER run_args_capture_update,
ENABLE ALWAYS TRIGGER run_args_capture_delete,
ENABLE ALWAYS TRIGGER run_args_capture_truncate;
