-- The facets of datasets, under the name by which Marquez reads them.
-- readers: Marquez' server
-- reads: dataset_facets
CREATE VIEW dataset_facets_view AS
SELECT created_at, dataset_uuid, dataset_version_uuid, run_uuid, lineage_event_time, lineage_event_type, type, name, facet
FROM dataset_facets;

COMMENT ON VIEW dataset_facets_view IS 'The facets of datasets, under the name by which Marquez reads them.';
