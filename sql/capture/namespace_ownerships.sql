-- Rendered from model/tables/namespace_ownerships.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_namespace_ownerships() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('namespace_ownerships')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.namespace_ownerships (change_xid, change_number, copies, uuid, started_at, ended_at, namespace_uuid, owner_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, started_at, ended_at, namespace_uuid, owner_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.namespace_ownerships (change_xid, change_number, copies, uuid, started_at, ended_at, namespace_uuid, owner_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, started_at, ended_at, namespace_uuid, owner_uuid
        FROM (
            SELECT -1 AS copies, uuid, started_at, ended_at, namespace_uuid, owner_uuid FROM old_rows
            UNION ALL
            SELECT 1, uuid, started_at, ended_at, namespace_uuid, owner_uuid FROM new_rows
        ) AS images
        GROUP BY uuid, started_at, ended_at, namespace_uuid, owner_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.namespace_ownerships (change_xid, change_number, copies, uuid, started_at, ended_at, namespace_uuid, owner_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, started_at, ended_at, namespace_uuid, owner_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.namespace_ownerships (change_xid, change_number, copies, uuid, started_at, ended_at, namespace_uuid, owner_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, started_at, ended_at, namespace_uuid, owner_uuid
        FROM public.namespace_ownerships;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER namespace_ownerships_capture_insert AFTER INSERT ON namespace_ownerships
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_namespace_ownerships();

CREATE OR REPLACE TRIGGER namespace_ownerships_capture_update AFTER UPDATE ON namespace_ownerships
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_namespace_ownerships();

CREATE OR REPLACE TRIGGER namespace_ownerships_capture_delete AFTER DELETE ON namespace_ownerships
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_namespace_ownerships();

CREATE OR REPLACE TRIGGER namespace_ownerships_capture_truncate BEFORE TRUNCATE ON namespace_ownerships
FOR EACH STATEMENT EXECUTE FUNCTION capture_namespace_ownerships();

ALTER TABLE namespace_ownerships
ENABLE ALWAYS TRIGGER namespace_ownerships_capture_insert,
ENABLE ALWAYS TRIGGER namespace_ownerships_capture_update,
ENABLE ALWAYS TRIGGER namespace_ownerships_capture_delete,
ENABLE ALWAYS TRIGGER namespace_ownerships_capture_truncate;
