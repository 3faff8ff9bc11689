-- Rendered from model/tables/column_lineage_pairs.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_column_lineage_pairs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('column_lineage')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'DELETE' THEN
        INSERT INTO changes.column_lineage_pairs (change_xid, change_number, copies, pairs_uuid, output_dataset_field_uuid, input_dataset_field_uuid, transformation_description, transformation_type, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, pairs_uuid, output_dataset_field_uuid, input_dataset_field_uuid, transformation_description, transformation_type, created_at
        FROM old_rows;
    ELSE
        INSERT INTO changes.column_lineage_pairs (change_xid, change_number, copies, pairs_uuid, output_dataset_field_uuid, input_dataset_field_uuid, transformation_description, transformation_type, created_at)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, pairs_uuid, output_dataset_field_uuid, input_dataset_field_uuid, transformation_description, transformation_type, created_at
        FROM public.column_lineage_pairs;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER column_lineage_pairs_capture_delete AFTER DELETE ON column_lineage_pairs
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_column_lineage_pairs();

CREATE OR REPLACE TRIGGER column_lineage_pairs_capture_truncate BEFORE TRUNCATE ON column_lineage_pairs
FOR EACH STATEMENT EXECUTE FUNCTION capture_column_lineage_pairs();

ALTER TABLE column_lineage_pairs
ENABLE ALWAYS TRIGGER column_lineage_pairs_capture_delete,
ENABLE ALWAYS TRIGGER column_lineage_pairs_capture_truncate;
