-- The facets of each dataset version: the last of each name.
-- readers: who asks for facets by SQL
-- reads: dataset_facets
--
-- Of two facets of one moment a digest decides, as the order of jsonb depends on the collation of the database.
CREATE VIEW dataset_version_facets AS
SELECT DISTINCT ON (dataset_version_uuid, name) dataset_version_uuid, name, facet
FROM dataset_facets
WHERE dataset_version_uuid IS NOT NULL
ORDER BY
    dataset_version_uuid,
    name,
    lineage_event_time DESC,
    created_at DESC,
    CASE
        WHEN count(*) OVER (PARTITION BY dataset_version_uuid, name, lineage_event_time, created_at) > 1
        THEN sha256(convert_to(facet::text, 'UTF8'))
    END DESC;

COMMENT ON VIEW dataset_version_facets IS 'The facets of each dataset version: the last word of each.';
