-- The facets of jobs with their contents, a row for each event that has one. Those of a run belong to the version that the run has
-- made, those of a job event to its own. Two branches, as each version is then found by an index: a CASE over both has none.
CREATE VIEW job_facet_contents AS
SELECT
    said.job_uuid,
    runs.job_version_uuid,
    said.run_uuid,
    said.event_time,
    said.lineage_event_type,
    said.facet_uuid,
    said.name,
    said.facet
FROM runs
JOIN job_facets_of_events AS said ON said.run_uuid = runs.uuid
UNION ALL
SELECT job_uuid, job_version_uuid, run_uuid, event_time, lineage_event_type, facet_uuid, name, facet
FROM job_facets_of_events
WHERE run_uuid IS NULL;

COMMENT ON VIEW job_facet_contents IS 'The facets of jobs with their contents, a row for each event that has one.';
