-- Rendered from model/tables/facet_sets.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_facet_sets() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_facets', 'job_facets', 'run_facets')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'DELETE' THEN
        INSERT INTO changes.facet_sets (change_xid, change_number, copies, uuid, facets)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, facets
        FROM old_rows;
    ELSE
        INSERT INTO changes.facet_sets (change_xid, change_number, copies, uuid, facets)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, facets
        FROM public.facet_sets;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER facet_sets_capture_delete AFTER DELETE ON facet_sets
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_facet_sets();

CREATE OR REPLACE TRIGGER facet_sets_capture_truncate BEFORE TRUNCATE ON facet_sets
FOR EACH STATEMENT EXECUTE FUNCTION capture_facet_sets();

ALTER TABLE facet_sets
ENABLE ALWAYS TRIGGER facet_sets_capture_delete,
ENABLE ALWAYS TRIGGER facet_sets_capture_truncate;
