-- Rendered from model/tables/dataset_ownerships.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_ownerships() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_ownerships')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_ownerships (change_xid, change_number, copies, dataset_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_uuid, owner_uuid, type, reported_at
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_ownerships (change_xid, change_number, copies, dataset_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_uuid, owner_uuid, type, reported_at
        FROM (
            SELECT -1 AS copies, dataset_uuid, owner_uuid, type, reported_at FROM old_rows
            UNION ALL
            SELECT 1, dataset_uuid, owner_uuid, type, reported_at FROM new_rows
        ) AS images
        GROUP BY dataset_uuid, owner_uuid, type, reported_at
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_ownerships (change_xid, change_number, copies, dataset_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, owner_uuid, type, reported_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_ownerships (change_xid, change_number, copies, dataset_uuid, owner_uuid, type, reported_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, owner_uuid, type, reported_at
        FROM public.dataset_ownerships;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_ownerships_capture_insert AFTER INSERT ON dataset_ownerships
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_ownerships();

CREATE OR REPLACE TRIGGER dataset_ownerships_capture_update AFTER UPDATE ON dataset_ownerships
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_ownerships();

CREATE OR REPLACE TRIGGER dataset_ownerships_capture_delete AFTER DELETE ON dataset_ownerships
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_ownerships();

CREATE OR REPLACE TRIGGER dataset_ownerships_capture_truncate BEFORE TRUNCATE ON dataset_ownerships
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_ownerships();

ALTER TABLE dataset_ownerships
ENABLE ALWAYS TRIGGER dataset_ownerships_capture_insert,
ENABLE ALWAYS TRIGGER dataset_ownerships_capture_update,
ENABLE ALWAYS TRIGGER dataset_ownerships_capture_delete,
ENABLE ALWAYS TRIGGER dataset_ownerships_capture_truncate;
