-- The facets of jobs, of the events that name them.
SELECT
    ledger.commit_number,
    ledger.copies,
    ledger.event_time AS created_at,
    ledger.job_uuid,
    ledger.run_uuid,
    ledger.event_time AS lineage_event_time,
    ledger.lineage_event_type,
    content.name,
    content.facet
FROM {event_ledger} AS ledger
JOIN {facet_sets} AS facet_set ON facet_set.uuid = ledger.job_facets_uuid
CROSS JOIN LATERAL unnest(facet_set.facets) AS listed (facet_uuid)
JOIN {facets} AS content ON content.uuid = listed.facet_uuid
