-- The facets of each job version, as proposal 2078 lists them: the last word of each facet.
CREATE VIEW job_version_facets AS
SELECT DISTINCT ON (job_version_uuid, name) job_version_uuid, name, facet
FROM job_facets
WHERE job_version_uuid IS NOT NULL
ORDER BY job_version_uuid, name, lineage_event_time DESC, created_at DESC, facet DESC;

COMMENT ON VIEW job_version_facets IS 'The facets of each job version: the last word of each (proposal 2078).';
