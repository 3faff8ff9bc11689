-- What is known of datasets before some place of their timelines. The first verdict from there on says by what it was judged. Where
-- there is none, the last one before says so, and `fields` are those that it judged. In a time that was restored, as a legal hold of
-- all namespaces is about it, what came later says nothing of it: it may know of fields that were deleted afterwards.
SELECT asked.dataset_uuid AS dataset, known.uuid AS history_uuid, known.history, judged.fields::text, beginning.is_before
FROM unnest(%(datasets)s::uuid[], %(places)s::bytea[]) AS asked (dataset_uuid, event_order)
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT
        FROM event_ledger AS ledger
        JOIN retention_holds_in_force AS held
            ON held.namespace_pattern = '*'
            AND ledger.event_time >= held.events_since
            AND (held.events_until IS NULL OR ledger.event_time < held.events_until)
        WHERE ledger.event_order = asked.event_order
    )
) AS span (is_restored)
CROSS JOIN LATERAL (
    (
        SELECT history_uuid, version_uuid, false AS is_before
        FROM dataset_schema_verdicts
        WHERE dataset_uuid = asked.dataset_uuid AND event_order >= asked.event_order AND NOT span.is_restored
        ORDER BY event_order
        LIMIT 1
    )
    UNION ALL
    (
        SELECT history_uuid, version_uuid, true
        FROM dataset_schema_verdicts
        WHERE dataset_uuid = asked.dataset_uuid AND event_order < asked.event_order
        ORDER BY event_order DESC
        LIMIT 1
    )
    ORDER BY is_before
    LIMIT 1
) AS beginning
LEFT JOIN dataset_schema_histories AS known ON known.uuid = beginning.history_uuid
LEFT JOIN dataset_versions AS judged ON judged.uuid = beginning.version_uuid AND beginning.is_before
