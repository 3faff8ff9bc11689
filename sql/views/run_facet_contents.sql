-- The facets of runs with their contents, a row for each event that has one, or of those that are kept once a run for the first.
CREATE VIEW run_facet_contents AS
SELECT
    ledger.run_uuid,
    ledger.event_time,
    coalesce(ledger.lineage_event_type, '')::varchar(64) AS lineage_event_type,
    NULL::bytea AS event_order,
    content.uuid AS facet_uuid,
    content.name,
    content.facet
FROM event_ledger AS ledger
JOIN facet_sets ON facet_sets.uuid = ledger.run_facets_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid
UNION ALL
SELECT
    kept.run_uuid,
    kept.event_time,
    kept.lineage_event_type,
    kept.first_event,
    content.uuid,
    content.name,
    content.facet
FROM run_facets_kept_once AS kept
JOIN facets AS content ON content.uuid = kept.facet_uuid;

COMMENT ON VIEW run_facet_contents IS 'The facets of runs with their contents; event_order where one is kept once a run.';
