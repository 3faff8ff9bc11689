-- The facets of each job version: the last of each name.
-- readers: who asks for facets by SQL
-- reads: job_facets
--
-- Of two facets of one moment a digest decides, as the order of jsonb depends on the collation of the database.
CREATE VIEW job_version_facets AS
SELECT DISTINCT ON (job_version_uuid, name) job_version_uuid, name, facet
FROM job_facets
WHERE job_version_uuid IS NOT NULL
ORDER BY
    job_version_uuid,
    name,
    lineage_event_time DESC,
    created_at DESC,
    CASE
        WHEN count(*) OVER (PARTITION BY job_version_uuid, name, lineage_event_time, created_at) > 1
        THEN sha256(convert_to(facet::text, 'UTF8'))
    END DESC;

COMMENT ON VIEW job_version_facets IS 'The facets of each job version: the last word of each.';
