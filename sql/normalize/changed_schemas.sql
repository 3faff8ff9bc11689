-- The places of timelines where the schema is to be judged: they are new, have another version, or a version that lists its fields
-- otherwise now. Of a dataset that has lost or gained a name, all that were judged, too.
SELECT
    place.dataset_uuid AS dataset,
    array_agg(place.event_order ORDER BY place.event_order) AS places,
    bool_or(place.is_moved) AS is_moved
FROM (
    SELECT pointer.dataset_uuid, pointer.event_order, false AS is_moved
    FROM written_pointers AS pointer
    LEFT JOIN dataset_schema_verdicts AS stored USING (dataset_uuid, event_order)
    WHERE stored.version_uuid IS DISTINCT FROM pointer.version_uuid
    UNION ALL
    SELECT stored.dataset_uuid, stored.event_order, false
    FROM redescribed_versions AS redescribed
    JOIN dataset_schema_verdicts AS stored USING (version_uuid)
    UNION ALL
    SELECT stored.dataset_uuid, stored.event_order, true
    FROM moved_datasets AS moved
    JOIN dataset_schema_verdicts AS stored ON stored.dataset_uuid = moved.uuid
) AS place
GROUP BY place.dataset_uuid
ORDER BY place.dataset_uuid
