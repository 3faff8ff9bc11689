-- Rendered from model/tables/run_facets_kept_once.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_run_facets_kept_once() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('run_facets')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.run_facets_kept_once (change_xid, change_number, copies, run_uuid, facet_uuid, event_time, lineage_event_type)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, run_uuid, facet_uuid, event_time, lineage_event_type
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.run_facets_kept_once (change_xid, change_number, copies, run_uuid, facet_uuid, event_time, lineage_event_type)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), run_uuid, facet_uuid, event_time, lineage_event_type
        FROM (
            SELECT -1 AS copies, run_uuid, facet_uuid, event_time, lineage_event_type FROM old_rows
            UNION ALL
            SELECT 1, run_uuid, facet_uuid, event_time, lineage_event_type FROM new_rows
        ) AS images
        GROUP BY run_uuid, facet_uuid, event_time, lineage_event_type
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.run_facets_kept_once (change_xid, change_number, copies, run_uuid, facet_uuid, event_time, lineage_event_type)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, run_uuid, facet_uuid, event_time, lineage_event_type
        FROM old_rows;
    ELSE
        INSERT INTO changes.run_facets_kept_once (change_xid, change_number, copies, run_uuid, facet_uuid, event_time, lineage_event_type)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, run_uuid, facet_uuid, event_time, lineage_event_type
        FROM public.run_facets_kept_once;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER run_facets_kept_once_capture_insert AFTER INSERT ON run_facets_kept_once
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_facets_kept_once();

CREATE OR REPLACE TRIGGER run_facets_kept_once_capture_update AFTER UPDATE ON run_facets_kept_once
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_facets_kept_once();

CREATE OR REPLACE TRIGGER run_facets_kept_once_capture_delete AFTER DELETE ON run_facets_kept_once
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_facets_kept_once();

CREATE OR REPLACE TRIGGER run_facets_kept_once_capture_truncate BEFORE TRUNCATE ON run_facets_kept_once
FOR EACH STATEMENT EXECUTE FUNCTION capture_run_facets_kept_once();

ALTER TABLE run_facets_kept_once
ENABLE ALWAYS TRIGGER run_facets_kept_once_capture_insert,
ENABLE ALWAYS TRIGGER run_facets_kept_once_capture_update,
ENABLE ALWAYS TRIGGER run_facets_kept_once_capture_delete,
ENABLE ALWAYS TRIGGER run_facets_kept_once_capture_truncate;
