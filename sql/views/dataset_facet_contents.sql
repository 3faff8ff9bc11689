-- The facets of datasets with their contents, a row a mention.
-- readers: the view `dataset_facets` and the reading of facets
-- reads: dataset_mentions, facet_sets, facets
--
-- An input facet has the type INPUT and an output facet the type OUTPUT; what the others are follows from their names.
CREATE VIEW dataset_facet_contents AS
SELECT
    mention.dataset_uuid,
    mention.version_uuid,
    mention.run_uuid,
    mention.event_time,
    mention.lineage_event_type,
    coalesce(named.type, dataset_facet_type(content.name)) AS type,
    content.uuid AS facet_uuid,
    content.name,
    content.facet
FROM dataset_mentions AS mention
CROSS JOIN LATERAL (
    VALUES
        (mention.facets_uuid, NULL),
        (mention.io_facets_uuid, CASE mention.role WHEN input_role() THEN 'INPUT' ELSE 'OUTPUT' END)
) AS named (set_uuid, type)
JOIN facet_sets ON facet_sets.uuid = named.set_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid
WHERE NOT mention.is_purged;

COMMENT ON VIEW dataset_facet_contents IS 'The facets of datasets with their contents, a row for each mention that has one.';
