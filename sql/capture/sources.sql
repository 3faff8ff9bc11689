-- Rendered from model/tables/sources.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_sources() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('sources')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.sources (change_xid, change_number, copies, uuid, type, created_at, name, connection_url, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, type, created_at, name, connection_url, description
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.sources (change_xid, change_number, copies, uuid, type, created_at, name, connection_url, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, type, created_at, name, connection_url, description
        FROM (
            SELECT -1 AS copies, uuid, type, created_at, name, connection_url, description FROM old_rows
            UNION ALL
            SELECT 1, uuid, type, created_at, name, connection_url, description FROM new_rows
        ) AS images
        GROUP BY uuid, type, created_at, name, connection_url, description
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.sources (change_xid, change_number, copies, uuid, type, created_at, name, connection_url, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, name, connection_url, description
        FROM old_rows;
    ELSE
        INSERT INTO changes.sources (change_xid, change_number, copies, uuid, type, created_at, name, connection_url, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, type, created_at, name, connection_url, description
        FROM public.sources;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER sources_capture_insert AFTER INSERT ON sources
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_sources();

CREATE OR REPLACE TRIGGER sources_capture_update AFTER UPDATE ON sources
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_sources();

CREATE OR REPLACE TRIGGER sources_capture_delete AFTER DELETE ON sources
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_sources();

CREATE OR REPLACE TRIGGER sources_capture_truncate BEFORE TRUNCATE ON sources
FOR EACH STATEMENT EXECUTE FUNCTION capture_sources();

ALTER TABLE sources
ENABLE ALWAYS TRIGGER sources_capture_insert,
ENABLE ALWAYS TRIGGER sources_capture_update,
ENABLE ALWAYS TRIGGER sources_capture_delete,
ENABLE ALWAYS TRIGGER sources_capture_truncate;
