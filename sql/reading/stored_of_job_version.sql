-- The facets of a job version that its table has, as stored_of_run.sql gives those of a run.
SELECT
    ctid::text AS place,
    microseconds(lineage_event_time) AS time,
    lifecycle_rank(lineage_event_type) AS rank,
    lineage_event_type AS event_type,
    name,
    NULL AS type,
    CASE
        WHEN %(digests)s OR count(*) OVER (PARTITION BY lineage_event_time, lineage_event_type, name) > 1
        THEN sha256(convert_to(facet::text, 'UTF8'))
    END AS digest,
    CASE
        WHEN pg_column_size(facet) <= %(small)s AND octet_length(facet::text) <= %(short)s
        THEN convert_to(facet::text, 'UTF8')
    END AS content,
    NULL AS event_order
FROM job_facets
WHERE job_version_uuid = %(uuid)s
ORDER BY
    lineage_event_time,
    lifecycle_rank(lineage_event_type),
    coalesce(lineage_event_type, '') COLLATE "C",
    name COLLATE "C",
    digest
