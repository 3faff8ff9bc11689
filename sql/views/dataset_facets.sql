-- The facets of datasets, a row an event and mention.
-- readers: who asks for facets by SQL
-- reads: dataset_facet_contents
CREATE VIEW dataset_facets AS
SELECT
    found.event_time AS created_at,
    found.dataset_uuid,
    found.version_uuid AS dataset_version_uuid,
    found.run_uuid,
    found.event_time AS lineage_event_time,
    found.lineage_event_type,
    found.type::varchar(64) AS type,
    found.name,
    found.facet
FROM dataset_facet_contents AS found;

COMMENT ON VIEW dataset_facets IS 'The facets of datasets, a row an event and mention.';
