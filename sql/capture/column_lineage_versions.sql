-- Rendered from model/tables/column_lineage_versions.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_column_lineage_versions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('column_lineage')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.column_lineage_versions (change_xid, change_number, copies, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.column_lineage_versions (change_xid, change_number, copies, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at
        FROM (
            SELECT -1 AS copies, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at FROM old_rows
            UNION ALL
            SELECT 1, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at FROM new_rows
        ) AS images
        GROUP BY output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.column_lineage_versions (change_xid, change_number, copies, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.column_lineage_versions (change_xid, change_number, copies, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at
        FROM public.column_lineage_versions;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER column_lineage_versions_capture_insert AFTER INSERT ON column_lineage_versions
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_column_lineage_versions();

CREATE OR REPLACE TRIGGER column_lineage_versions_capture_update AFTER UPDATE ON column_lineage_versions
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_column_lineage_versions();

CREATE OR REPLACE TRIGGER column_lineage_versions_capture_delete AFTER DELETE ON column_lineage_versions
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_column_lineage_versions();

CREATE OR REPLACE TRIGGER column_lineage_versions_capture_truncate BEFORE TRUNCATE ON column_lineage_versions
FOR EACH STATEMENT EXECUTE FUNCTION capture_column_lineage_versions();

ALTER TABLE column_lineage_versions
ENABLE ALWAYS TRIGGER column_lineage_versions_capture_insert,
ENABLE ALWAYS TRIGGER column_lineage_versions_capture_update,
ENABLE ALWAYS TRIGGER column_lineage_versions_capture_delete,
ENABLE ALWAYS TRIGGER column_lineage_versions_capture_truncate;
