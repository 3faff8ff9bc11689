-- The facets of a run that its table has, in the order of reading. A small one comes at once, a large one is loaded by its place.
-- A digest, where it is asked for or others have the same time, type and name.
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
    event_order
FROM run_facets
WHERE run_uuid = %(uuid)s
ORDER BY lineage_event_time, lifecycle_rank(lineage_event_type), lineage_event_type COLLATE "C", name COLLATE "C", digest
