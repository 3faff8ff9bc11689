-- The facets that events give to jobs, with their contents, a row an event.
-- readers: the view `job_facets_view`
-- reads: event_ledger, facet_sets, facets
--
-- A job event has made the version that it names; what version the run of another event has made, this view does not say.
CREATE VIEW job_facets_of_events AS
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
JOIN facets AS content ON content.uuid = listed.facet_uuid;

COMMENT ON VIEW job_facets_of_events IS 'The facets that events give to jobs, with their contents.';
