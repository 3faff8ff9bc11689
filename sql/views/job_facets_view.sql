-- The facets of jobs, under the name by which Marquez reads them.
CREATE VIEW job_facets_view AS
SELECT created_at, job_uuid, run_uuid, lineage_event_time, lineage_event_type, name, facet
FROM job_facets;

COMMENT ON VIEW job_facets_view IS 'The facets of jobs, under the name by which Marquez reads them.';
