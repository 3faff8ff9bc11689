-- The facets of jobs, a row an event.
-- readers: who asks for facets by SQL
-- reads: job_facet_contents
CREATE VIEW job_facets AS
SELECT
    found.event_time AS created_at,
    found.job_uuid,
    found.run_uuid,
    found.event_time AS lineage_event_time,
    found.lineage_event_type,
    found.name,
    found.facet,
    found.job_version_uuid
FROM job_facet_contents AS found;

COMMENT ON VIEW job_facets IS 'The facets of jobs, a row an event.';
