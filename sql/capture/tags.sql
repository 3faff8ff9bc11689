-- Rendered from model/tables/tags.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_tags() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('tags')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.tags (change_xid, change_number, copies, uuid, created_at, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, name, description
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.tags (change_xid, change_number, copies, uuid, created_at, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, name, description
        FROM (
            SELECT -1 AS copies, uuid, created_at, name, description FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, name, description FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, name, description
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.tags (change_xid, change_number, copies, uuid, created_at, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, name, description
        FROM old_rows;
    ELSE
        INSERT INTO changes.tags (change_xid, change_number, copies, uuid, created_at, name, description)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, name, description
        FROM public.tags;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER tags_capture_insert AFTER INSERT ON tags
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_tags();

CREATE OR REPLACE TRIGGER tags_capture_update AFTER UPDATE ON tags
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_tags();

CREATE OR REPLACE TRIGGER tags_capture_delete AFTER DELETE ON tags
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_tags();

CREATE OR REPLACE TRIGGER tags_capture_truncate BEFORE TRUNCATE ON tags
FOR EACH STATEMENT EXECUTE FUNCTION capture_tags();

ALTER TABLE tags
ENABLE ALWAYS TRIGGER tags_capture_insert,
ENABLE ALWAYS TRIGGER tags_capture_update,
ENABLE ALWAYS TRIGGER tags_capture_delete,
ENABLE ALWAYS TRIGGER tags_capture_truncate;
