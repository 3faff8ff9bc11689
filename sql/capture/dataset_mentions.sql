-- Rendered from model/tables/dataset_mentions.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_dataset_mentions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_facets')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.dataset_mentions (change_xid, change_number, copies, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.dataset_mentions (change_xid, change_number, copies, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged
        FROM (
            SELECT -1 AS copies, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged FROM old_rows
            UNION ALL
            SELECT 1, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged FROM new_rows
        ) AS images
        GROUP BY dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.dataset_mentions (change_xid, change_number, copies, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged
        FROM old_rows;
    ELSE
        INSERT INTO changes.dataset_mentions (change_xid, change_number, copies, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, dataset_uuid, role, event_time, run_uuid, version_uuid, lineage_event_type, facets_uuid, io_facets_uuid, is_purged
        FROM public.dataset_mentions;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER dataset_mentions_capture_insert AFTER INSERT ON dataset_mentions
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_mentions();

CREATE OR REPLACE TRIGGER dataset_mentions_capture_update AFTER UPDATE ON dataset_mentions
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_mentions();

CREATE OR REPLACE TRIGGER dataset_mentions_capture_delete AFTER DELETE ON dataset_mentions
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_mentions();

CREATE OR REPLACE TRIGGER dataset_mentions_capture_truncate BEFORE TRUNCATE ON dataset_mentions
FOR EACH STATEMENT EXECUTE FUNCTION capture_dataset_mentions();

ALTER TABLE dataset_mentions
ENABLE ALWAYS TRIGGER dataset_mentions_capture_insert,
ENABLE ALWAYS TRIGGER dataset_mentions_capture_update,
ENABLE ALWAYS TRIGGER dataset_mentions_capture_delete,
ENABLE ALWAYS TRIGGER dataset_mentions_capture_truncate;
