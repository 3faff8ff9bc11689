-- The facets of a job version that the tables have, as stored_of_run.sql gives those of a run.
SELECT
    content.uuid,
    microseconds(found.event_time) AS time,
    lifecycle_rank(found.lineage_event_type) AS rank,
    found.lineage_event_type AS event_type,
    content.name,
    NULL AS type,
    CASE
        WHEN pg_column_size(content.facet) <= %(small)s AND octet_length(content.facet::text) <= %(short)s
        THEN convert_to(content.facet::text, 'UTF8')
    END AS content,
    NULL AS event_order
FROM job_facet_contents AS found
JOIN facets AS content ON content.uuid = found.facet_uuid
WHERE found.job_version_uuid = %(uuid)s
ORDER BY
    found.event_time,
    lifecycle_rank(found.lineage_event_type),
    coalesce(found.lineage_event_type, '') COLLATE "C",
    content.name COLLATE "C",
    content.uuid
