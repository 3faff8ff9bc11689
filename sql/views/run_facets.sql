-- The facets of runs, a row an event.
-- readers: who asks for facets by SQL
-- reads: run_facet_contents
CREATE VIEW run_facets AS
SELECT
    found.event_time AS created_at,
    found.run_uuid,
    found.event_time AS lineage_event_time,
    found.lineage_event_type,
    found.name,
    found.facet
FROM run_facet_contents AS found;

COMMENT ON VIEW run_facets IS 'The facets of runs, a row an event; those that are kept once a run, a row of its first event.';
