-- The facets of jobs with their contents, a row for each event that has one. Those of a run belong to the version that the run has
-- made, those of a job event to its own. Two branches, as each version is then found by an index: a CASE over both has none.
CREATE VIEW job_facet_contents AS
SELECT
    ledger.job_uuid,
    runs.job_version_uuid,
    ledger.run_uuid,
    ledger.event_time,
    ledger.lineage_event_type,
    content.uuid AS facet_uuid,
    content.name,
    content.facet
FROM runs
JOIN event_ledger AS ledger ON ledger.run_uuid = runs.uuid
JOIN facet_sets ON facet_sets.uuid = ledger.job_facets_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid
UNION ALL
SELECT
    ledger.job_uuid,
    ledger.job_version_uuid,
    ledger.run_uuid,
    ledger.event_time,
    ledger.lineage_event_type,
    content.uuid AS facet_uuid,
    content.name,
    content.facet
FROM event_ledger AS ledger
JOIN facet_sets ON facet_sets.uuid = ledger.job_facets_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid
WHERE ledger.run_uuid IS NULL;

COMMENT ON VIEW job_facet_contents IS 'The facets of jobs with their contents, a row for each event that has one.';
