-- The facets of a run that the tables have, in the order of reading. A small one comes at once, a large one is loaded by its uuid.
SELECT
    found.facet_uuid AS uuid,
    microseconds(found.event_time) AS time,
    lifecycle_rank(found.lineage_event_type) AS rank,
    found.lineage_event_type AS event_type,
    found.name,
    NULL AS type,
    CASE
        WHEN pg_column_size(found.facet) <= %(small)s AND octet_length(found.facet::text) <= %(short)s
        THEN convert_to(found.facet::text, 'UTF8')
    END AS content,
    found.event_order
FROM run_facet_contents AS found
WHERE found.run_uuid = %(uuid)s
ORDER BY
    found.event_time,
    lifecycle_rank(found.lineage_event_type),
    coalesce(found.lineage_event_type, '') COLLATE "C",
    found.name COLLATE "C",
    found.facet_uuid
