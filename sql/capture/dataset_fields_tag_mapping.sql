-- Rendered from model/tables/dataset_fields_tag_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_fields_tag_mapping() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_fields_tag_mapping')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_fields_tag_mapping (change_xid, change_number, copies, dataset_field_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_field_uuid, tag_uuid, tagged_at, is_reported
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_fields_tag_mapping (change_xid, change_number, copies, dataset_field_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_field_uuid, tag_uuid, tagged_at, is_reported
        FROM (
            SELECT -1 AS copies, dataset_field_uuid, tag_uuid, tagged_at, is_reported FROM old_rows
            UNION ALL
            SELECT 1, dataset_field_uuid, tag_uuid, tagged_at, is_reported FROM new_rows
        ) AS images
        GROUP BY dataset_field_uuid, tag_uuid, tagged_at, is_reported
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_fields_tag_mapping (change_xid, change_number, copies, dataset_field_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_field_uuid, tag_uuid, tagged_at, is_reported
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_fields_tag_mapping (change_xid, change_number, copies, dataset_field_uuid, tag_uuid, tagged_at, is_reported)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_field_uuid, tag_uuid, tagged_at, is_reported
        FROM public.dataset_fields_tag_mapping;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_fields_tag_mapping_capture_insert AFTER INSERT ON dataset_fields_tag_mapping
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields_tag_mapping();

CREATE OR REPLACE TRIGGER dataset_fields_tag_mapping_capture_update AFTER UPDATE ON dataset_fields_tag_mapping
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields_tag_mapping();

CREATE OR REPLACE TRIGGER dataset_fields_tag_mapping_capture_delete AFTER DELETE ON dataset_fields_tag_mapping
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields_tag_mapping();

CREATE OR REPLACE TRIGGER dataset_fields_tag_mapping_capture_truncate BEFORE TRUNCATE ON dataset_fields_tag_mapping
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_fields_tag_mapping();

ALTER TABLE dataset_fields_tag_mapping
ENABLE ALWAYS TRIGGER dataset_fields_tag_mapping_capture_insert,
ENABLE ALWAYS TRIGGER dataset_fields_tag_mapping_capture_update,
ENABLE ALWAYS TRIGGER dataset_fields_tag_mapping_capture_delete,
ENABLE ALWAYS TRIGGER dataset_fields_tag_mapping_capture_truncate;
