-- Rendered from model/tables/dataset_versions.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_versions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_versions')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_versions (change_xid, change_number, copies, uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, created_at, dataset_uuid, version, run_uuid, fields::text AS fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_versions (change_xid, change_number, copies, uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid
        FROM (
            SELECT -1 AS copies, uuid, created_at, dataset_uuid, version, run_uuid, fields::text AS fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid FROM old_rows
            UNION ALL
            SELECT 1, uuid, created_at, dataset_uuid, version, run_uuid, fields::text AS fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid FROM new_rows
        ) AS images
        GROUP BY uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_versions (change_xid, change_number, copies, uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, dataset_uuid, version, run_uuid, fields::text AS fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_versions (change_xid, change_number, copies, uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, created_at, dataset_uuid, version, run_uuid, fields::text AS fields, namespace_name, dataset_name, lifecycle_state, dataset_schema_version_uuid
        FROM public.dataset_versions;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_versions_capture_insert AFTER INSERT ON dataset_versions
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_versions();

CREATE OR REPLACE TRIGGER dataset_versions_capture_update AFTER UPDATE ON dataset_versions
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_versions();

CREATE OR REPLACE TRIGGER dataset_versions_capture_delete AFTER DELETE ON dataset_versions
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_versions();

CREATE OR REPLACE TRIGGER dataset_versions_capture_truncate BEFORE TRUNCATE ON dataset_versions
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_versions();

ALTER TABLE dataset_versions
ENABLE ALWAYS TRIGGER dataset_versions_capture_insert,
ENABLE ALWAYS TRIGGER dataset_versions_capture_update,
ENABLE ALWAYS TRIGGER dataset_versions_capture_delete,
ENABLE ALWAYS TRIGGER dataset_versions_capture_truncate;
