-- The facets of runs with their contents, a row an event.
-- readers: the view `run_facets` and the reading of facets
-- reads: event_ledger, facet_sets, facets, run_facets_kept_once
--
-- A facet that is kept once a run has a row for the first event that has it. Each branch is one table as it is: only such
-- branches are searched by index for the runs of a join.
CREATE VIEW run_facet_contents AS
SELECT
    stated.run_uuid,
    stated.event_time,
    stated.lineage_event_type::varchar(64) AS lineage_event_type,
    stated.event_order,
    content.uuid AS facet_uuid,
    content.name,
    content.facet
FROM (
    SELECT
        run_uuid,
        event_time,
        coalesce(lineage_event_type, '') AS lineage_event_type,
        NULL::bytea AS event_order,
        run_facets_uuid AS set_uuid,
        NULL::uuid AS facet_uuid
    FROM event_ledger
    UNION ALL
    SELECT run_uuid, event_time, lineage_event_type, first_event AS event_order, NULL::uuid AS set_uuid, facet_uuid
    FROM run_facets_kept_once
) AS stated
LEFT JOIN facet_sets ON facet_sets.uuid = stated.set_uuid
CROSS JOIN LATERAL unnest(coalesce(facet_sets.facets, ARRAY[stated.facet_uuid])) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid;

COMMENT ON VIEW run_facet_contents IS 'The facets of runs with their contents; event_order where one is kept once a run.';
