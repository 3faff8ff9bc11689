-- Which contents the facets of runs have, a row for each event that has one, or of those that are kept once a run for the first.
CREATE VIEW run_facet_contents AS
SELECT
    ledger.run_uuid,
    ledger.event_time,
    coalesce(ledger.lineage_event_type, '')::varchar(64) AS lineage_event_type,
    NULL::bytea AS event_order,
    listed.facet_uuid
FROM event_ledger AS ledger
JOIN facet_sets ON facet_sets.uuid = ledger.run_facets_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
UNION ALL
SELECT run_uuid, event_time, lineage_event_type, first_event, facet_uuid
FROM run_facets_kept_once;

COMMENT ON VIEW run_facet_contents IS 'Which contents the facets of runs have; event_order where one is kept once a run.';
