-- Rendered from model/tables/runs_input_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_runs_input_mapping() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('runs_input_mapping')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.runs_input_mapping (change_xid, change_number, copies, run_uuid, dataset_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, run_uuid, dataset_version_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.runs_input_mapping (change_xid, change_number, copies, run_uuid, dataset_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), run_uuid, dataset_version_uuid
        FROM (
            SELECT -1 AS copies, run_uuid, dataset_version_uuid FROM old_rows
            UNION ALL
            SELECT 1, run_uuid, dataset_version_uuid FROM new_rows
        ) AS images
        GROUP BY run_uuid, dataset_version_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.runs_input_mapping (change_xid, change_number, copies, run_uuid, dataset_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, run_uuid, dataset_version_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.runs_input_mapping (change_xid, change_number, copies, run_uuid, dataset_version_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, run_uuid, dataset_version_uuid
        FROM public.runs_input_mapping;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER runs_input_mapping_capture_insert AFTER INSERT ON runs_input_mapping
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_runs_input_mapping();

CREATE OR REPLACE TRIGGER runs_input_mapping_capture_update AFTER UPDATE ON runs_input_mapping
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_runs_input_mapping();

CREATE OR REPLACE TRIGGER runs_input_mapping_capture_delete AFTER DELETE ON runs_input_mapping
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_runs_input_mapping();

CREATE OR REPLACE TRIGGER runs_input_mapping_capture_truncate BEFORE TRUNCATE ON runs_input_mapping
FOR EACH STATEMENT EXECUTE FUNCTION capture_runs_input_mapping();

ALTER TABLE runs_input_mapping
ENABLE ALWAYS TRIGGER runs_input_mapping_capture_insert,
ENABLE ALWAYS TRIGGER runs_input_mapping_capture_update,
ENABLE ALWAYS TRIGGER runs_input_mapping_capture_delete,
ENABLE ALWAYS TRIGGER runs_input_mapping_capture_truncate;
