-- name: capture/stream_versions
-- Rendered from streams/tables.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_stream_versions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('stream_versions')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.stream_versions (change_xid, change_number, copies, dataset_version_uuid, schema_location)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_version_uuid, schema_location
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.stream_versions (change_xid, change_number, copies, dataset_version_uuid, schema_location)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_version_uuid, schema_location
        FROM (
            SELECT -1 AS copies, dataset_version_uuid, schema_location FROM old_rows
            UNION ALL
            SELECT 1, dataset_version_uuid, schema_location FROM new_rows
        ) AS images
        GROUP BY dataset_version_uuid, schema_location
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.stream_versions (change_xid, change_number, copies, dataset_version_uuid, schema_location)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_version_uuid, schema_location
        FROM old_rows;
    ELSE
        INSERT INTO changes.stream_versions (change_xid, change_number, copies, dataset_version_uuid, schema_location)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_version_uuid, schema_location
        FROM public.stream_versions;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER stream_versions_capture_insert AFTER INSERT ON stream_versions
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_stream_versions();

CREATE OR REPLACE TRIGGER stream_versions_capture_update AFTER UPDATE ON stream_versions
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_stream_versions();

CREATE OR REPLACE TRIGGER stream_versions_capture_delete AFTER DELETE ON stream_versions
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_stream_versions();

CREATE OR REPLACE TRIGGER stream_versions_capture_truncate BEFORE TRUNCATE ON stream_versions
FOR EACH STATEMENT EXECUTE FUNCTION capture_stream_versions();

ALTER TABLE stream_versions
ENABLE ALWAYS TRIGGER stream_versions_capture_insert,
ENABLE ALWAYS TRIGGER stream_versions_capture_update,
ENABLE ALWAYS TRIGGER stream_versions_capture_delete,
ENABLE ALWAYS TRIGGER stream_versions_capture_truncate;
