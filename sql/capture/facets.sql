-- Rendered from model/tables/facets.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_facets() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('dataset_facets', 'job_facets', 'run_facets')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'DELETE' THEN
        INSERT INTO changes.facets (change_xid, change_number, copies, uuid, name, facet)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, name, facet::text AS facet
        FROM old_rows;
    ELSE
        INSERT INTO changes.facets (change_xid, change_number, copies, uuid, name, facet)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, name, facet::text AS facet
        FROM public.facets;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER facets_capture_delete AFTER DELETE ON facets
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_facets();

CREATE OR REPLACE TRIGGER facets_capture_truncate BEFORE TRUNCATE ON facets
FOR EACH STATEMENT EXECUTE FUNCTION capture_facets();

ALTER TABLE facets
ENABLE ALWAYS TRIGGER facets_capture_delete,
ENABLE ALWAYS TRIGGER facets_capture_truncate;
