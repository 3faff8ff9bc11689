-- Rendered from model/tables/dataset_schema_verdicts.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_schema_verdicts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_schema_verdicts')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_schema_verdicts (change_xid, change_number, copies, dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_uuid, event_order, version_uuid, current_from, verdict, changes::text AS changes, refusals::text AS refusals, fencing::text AS fencing
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_schema_verdicts (change_xid, change_number, copies, dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing
        FROM (
            SELECT -1 AS copies, dataset_uuid, event_order, version_uuid, current_from, verdict, changes::text AS changes, refusals::text AS refusals, fencing::text AS fencing FROM old_rows
            UNION ALL
            SELECT 1, dataset_uuid, event_order, version_uuid, current_from, verdict, changes::text AS changes, refusals::text AS refusals, fencing::text AS fencing FROM new_rows
        ) AS images
        GROUP BY dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_schema_verdicts (change_xid, change_number, copies, dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, event_order, version_uuid, current_from, verdict, changes::text AS changes, refusals::text AS refusals, fencing::text AS fencing
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_schema_verdicts (change_xid, change_number, copies, dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, event_order, version_uuid, current_from, verdict, changes::text AS changes, refusals::text AS refusals, fencing::text AS fencing
        FROM public.dataset_schema_verdicts;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_schema_verdicts_capture_insert AFTER INSERT ON dataset_schema_verdicts
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_verdicts();

CREATE OR REPLACE TRIGGER dataset_schema_verdicts_capture_update AFTER UPDATE ON dataset_schema_verdicts
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_verdicts();

CREATE OR REPLACE TRIGGER dataset_schema_verdicts_capture_delete AFTER DELETE ON dataset_schema_verdicts
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_verdicts();

CREATE OR REPLACE TRIGGER dataset_schema_verdicts_capture_truncate BEFORE TRUNCATE ON dataset_schema_verdicts
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_schema_verdicts();

ALTER TABLE dataset_schema_verdicts
ENABLE ALWAYS TRIGGER dataset_schema_verdicts_capture_insert,
ENABLE ALWAYS TRIGGER dataset_schema_verdicts_capture_update,
ENABLE ALWAYS TRIGGER dataset_schema_verdicts_capture_delete,
ENABLE ALWAYS TRIGGER dataset_schema_verdicts_capture_truncate;
