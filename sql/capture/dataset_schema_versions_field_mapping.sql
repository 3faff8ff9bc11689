-- Rendered from model/tables/dataset_schema_versions_field_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_schema_versions_field_mapping() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_schema_versions_field_mapping')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_schema_versions_field_mapping (change_xid, change_number, copies, dataset_schema_version_uuid, dataset_field_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_schema_version_uuid, dataset_field_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_schema_versions_field_mapping (change_xid, change_number, copies, dataset_schema_version_uuid, dataset_field_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_schema_version_uuid, dataset_field_uuid
        FROM (
            SELECT -1 AS copies, dataset_schema_version_uuid, dataset_field_uuid FROM old_rows
            UNION ALL
            SELECT 1, dataset_schema_version_uuid, dataset_field_uuid FROM new_rows
        ) AS images
        GROUP BY dataset_schema_version_uuid, dataset_field_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_schema_versions_field_mapping (change_xid, change_number, copies, dataset_schema_version_uuid, dataset_field_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_schema_version_uuid, dataset_field_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_schema_versions_field_mapping (change_xid, change_number, copies, dataset_schema_version_uuid, dataset_field_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_schema_version_uuid, dataset_field_uuid
        FROM public.dataset_schema_versions_field_mapping;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_schema_versions_field_mapping_capture_insert AFTER INSERT ON dataset_schema_versions_field_mapping
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_versions_field_mapping();

CREATE OR REPLACE TRIGGER dataset_schema_versions_field_mapping_capture_update AFTER UPDATE ON dataset_schema_versions_field_mapping
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_versions_field_mapping();

CREATE OR REPLACE TRIGGER dataset_schema_versions_field_mapping_capture_delete AFTER DELETE ON dataset_schema_versions_field_mapping
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_versions_field_mapping();

CREATE OR REPLACE TRIGGER dataset_schema_versions_field_mapping_capture_truncate BEFORE TRUNCATE ON dataset_schema_versions_field_mapping
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_versions_field_mapping();

ALTER TABLE dataset_schema_versions_field_mapping
ENABLE ALWAYS TRIGGER dataset_schema_versions_field_mapping_capture_insert,
ENABLE ALWAYS TRIGGER dataset_schema_versions_field_mapping_capture_update,
ENABLE ALWAYS TRIGGER dataset_schema_versions_field_mapping_capture_delete,
ENABLE ALWAYS TRIGGER dataset_schema_versions_field_mapping_capture_truncate;
