-- The facets of runs, of the events and of what is kept once a run.
SELECT
    said.commit_number,
    said.copies,
    said.event_time AS created_at,
    said.run_uuid,
    said.event_time AS lineage_event_time,
    said.lineage_event_type,
    content.name,
    content.facet
FROM (
    SELECT
        ledger.commit_number,
        ledger.copies,
        ledger.event_time,
        ledger.run_uuid,
        coalesce(ledger.lineage_event_type, '') AS lineage_event_type,
        listed.facet_uuid
    FROM {event_ledger} AS ledger
    JOIN {facet_sets} AS facet_set ON facet_set.uuid = ledger.run_facets_uuid
    CROSS JOIN LATERAL unnest(facet_set.facets) AS listed (facet_uuid)
    UNION ALL
    SELECT commit_number, copies, event_time, run_uuid, lineage_event_type, facet_uuid
    FROM {run_facets_kept_once} AS kept
) AS said
JOIN {facets} AS content ON content.uuid = said.facet_uuid
