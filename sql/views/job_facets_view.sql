-- The facets of jobs, under the name by which Marquez reads them.
-- readers: Marquez' server
-- reads: job_facets_of_events
--
-- Many runs are read at a time: without the versions, which would have it read those of all runs.
CREATE VIEW job_facets_view AS
SELECT
    event_time AS created_at,
    job_uuid,
    run_uuid,
    event_time AS lineage_event_time,
    lineage_event_type,
    name,
    facet
FROM job_facets_of_events;

COMMENT ON VIEW job_facets_view IS 'The facets of jobs, under the name by which Marquez reads them.';
