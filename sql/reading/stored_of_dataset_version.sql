-- The facets of a dataset version that the tables have, as stored_of_run.sql gives those of a run.
SELECT
    found.facet_uuid AS uuid,
    microseconds(found.event_time) AS time,
    lifecycle_rank(found.lineage_event_type) AS rank,
    found.lineage_event_type AS event_type,
    found.name,
    found.type,
    CASE
        WHEN pg_column_size(found.facet) <= %(small)s AND octet_length(found.facet::text) <= %(short)s
        THEN convert_to(found.facet::text, 'UTF8')
    END AS content,
    NULL AS event_order
FROM dataset_facet_contents AS found
WHERE found.version_uuid = %(uuid)s
ORDER BY
    found.event_time,
    lifecycle_rank(found.lineage_event_type),
    coalesce(found.lineage_event_type, '') COLLATE "C",
    found.name COLLATE "C",
    found.type COLLATE "C",
    found.facet_uuid
