-- The next places of timelines from some place on, with the fields of their versions, and by what they were judged, if they were.
SELECT
    asked.dataset_uuid AS dataset,
    place.event_order,
    place.version_uuid AS version,
    coalesce(ledger.event_time, version.created_at) AS current_from,
    version.fields::text,
    stored.event_order IS NOT NULL AS is_judged,
    stored.history_uuid AS history
FROM unnest(%(datasets)s::uuid[], %(places)s::bytea[]) AS asked (dataset_uuid, event_order)
CROSS JOIN LATERAL (
    SELECT event_order, version_uuid
    FROM dataset_version_timeline
    WHERE dataset_uuid = asked.dataset_uuid AND event_order >= asked.event_order AND is_written
    ORDER BY event_order
    LIMIT %(most)s
) AS place
JOIN dataset_versions AS version ON version.uuid = place.version_uuid
LEFT JOIN event_ledger AS ledger ON ledger.event_order = place.event_order
LEFT JOIN dataset_schema_verdicts AS stored
    ON stored.dataset_uuid = asked.dataset_uuid AND stored.event_order = place.event_order
ORDER BY asked.dataset_uuid, place.event_order
