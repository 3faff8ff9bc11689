-- The facets of runs, under the name by which Marquez reads them.
-- readers: Marquez' server
-- reads: run_facets
CREATE VIEW run_facets_view AS
SELECT created_at, run_uuid, lineage_event_time, lineage_event_type, name, facet
FROM run_facets;

COMMENT ON VIEW run_facets_view IS 'The facets of runs, under the name by which Marquez reads them.';
