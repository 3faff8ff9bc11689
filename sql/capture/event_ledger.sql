-- Rendered from model/tables/event_ledger.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_event_ledger() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('job_facets', 'run_facets')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.event_ledger (change_xid, change_number, copies, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.event_ledger (change_xid, change_number, copies, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid
        FROM (
            SELECT -1 AS copies, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid FROM old_rows
            UNION ALL
            SELECT 1, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid FROM new_rows
        ) AS images
        GROUP BY event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.event_ledger (change_xid, change_number, copies, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid
        FROM old_rows;
    ELSE
        INSERT INTO changes.event_ledger (change_xid, change_number, copies, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, event_time, run_uuid, job_uuid, lineage_event_type, run_facets_uuid, job_facets_uuid
        FROM public.event_ledger;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER event_ledger_capture_insert AFTER INSERT ON event_ledger
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_event_ledger();

CREATE OR REPLACE TRIGGER event_ledger_capture_update AFTER UPDATE ON event_ledger
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_event_ledger();

CREATE OR REPLACE TRIGGER event_ledger_capture_delete AFTER DELETE ON event_ledger
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_event_ledger();

CREATE OR REPLACE TRIGGER event_ledger_capture_truncate BEFORE TRUNCATE ON event_ledger
FOR EACH STATEMENT EXECUTE FUNCTION capture_event_ledger();

ALTER TABLE event_ledger
ENABLE ALWAYS TRIGGER event_ledger_capture_insert,
ENABLE ALWAYS TRIGGER event_ledger_capture_update,
ENABLE ALWAYS TRIGGER event_ledger_capture_delete,
ENABLE ALWAYS TRIGGER event_ledger_capture_truncate;
