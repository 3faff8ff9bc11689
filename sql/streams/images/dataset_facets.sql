-- The facets of datasets, of the mentions that have them.
SELECT
    mention.commit_number,
    mention.copies,
    mention.event_time AS created_at,
    mention.dataset_uuid,
    mention.version_uuid AS dataset_version_uuid,
    mention.run_uuid,
    mention.event_time AS lineage_event_time,
    mention.lineage_event_type,
    coalesce(named.type, dataset_facet_type(content.name)) AS type,
    content.name,
    content.facet
FROM {dataset_mentions} AS mention
CROSS JOIN LATERAL (
    VALUES
        (mention.facets_uuid, NULL),
        (mention.io_facets_uuid, CASE mention.role WHEN input_role() THEN 'INPUT' ELSE 'OUTPUT' END)
) AS named (set_uuid, type)
JOIN {facet_sets} AS facet_set ON facet_set.uuid = named.set_uuid
CROSS JOIN LATERAL unnest(facet_set.facets) AS listed (facet_uuid)
JOIN {facets} AS content ON content.uuid = listed.facet_uuid
WHERE NOT mention.is_purged
