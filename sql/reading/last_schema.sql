-- The fields of the version of a dataset that became current last, and by what they were judged. As for the current version, an event
-- that lay ahead of its receipt counts only where there is no other.
SELECT version.fields::text, known.history
FROM (
    (
        SELECT event_order, version_uuid, history_uuid
        FROM dataset_schema_verdicts
        WHERE dataset_uuid = %(dataset)s AND NOT is_ahead(event_order)
        ORDER BY event_order DESC
        LIMIT 1
    )
    UNION ALL
    (
        SELECT event_order, version_uuid, history_uuid
        FROM dataset_schema_verdicts
        WHERE dataset_uuid = %(dataset)s AND is_ahead(event_order)
        ORDER BY event_order DESC
        LIMIT 1
    )
    ORDER BY event_order
    LIMIT 1
) AS last
JOIN dataset_versions AS version ON version.uuid = last.version_uuid
LEFT JOIN dataset_schema_histories AS known ON known.uuid = last.history_uuid
