-- Which contents the facets of jobs have, a row for each event that has one. Those of a run belong to the version that the run has
-- made, those of a job event to its own.
CREATE VIEW job_facet_contents AS
SELECT
    ledger.job_uuid,
    runs.job_version_uuid,
    ledger.run_uuid,
    ledger.event_time,
    ledger.lineage_event_type,
    listed.facet_uuid
FROM runs
JOIN event_ledger AS ledger ON ledger.run_uuid = runs.uuid
JOIN facet_sets ON facet_sets.uuid = ledger.job_facets_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
UNION ALL
SELECT
    ledger.job_uuid,
    ledger.job_version_uuid,
    ledger.run_uuid,
    ledger.event_time,
    ledger.lineage_event_type,
    listed.facet_uuid
FROM event_ledger AS ledger
JOIN facet_sets ON facet_sets.uuid = ledger.job_facets_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
WHERE ledger.run_uuid IS NULL;

COMMENT ON VIEW job_facet_contents IS 'Which contents the facets of jobs have, a row for each event that has one.';
