-- Rendered from model/tables/dataset_labels.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(dataset_uuid))[1] AS dataset_uuid,
        (array_agg(tags ORDER BY tags_event DESC NULLS LAST))[1] AS tags,
        (array_agg(tags_reported_at ORDER BY tags_event DESC NULLS LAST))[1] AS tags_reported_at,
        (array_agg(owners ORDER BY owners_event DESC NULLS LAST))[1] AS owners,
        (array_agg(owners_reported_at ORDER BY owners_event DESC NULLS LAST))[1] AS owners_reported_at,
        (array_agg(tags_event ORDER BY tags_event DESC NULLS LAST))[1] AS tags_event,
        (array_agg(owners_event ORDER BY owners_event DESC NULLS LAST))[1] AS owners_event
    FROM (
        SELECT
            staged.uuid AS uuid,
            coalesce(known_dataset_uuid.uuid, staged.dataset_uuid) AS dataset_uuid,
            staged.tags AS tags,
            staged.tags_reported_at AS tags_reported_at,
            staged.owners AS owners,
            staged.owners_reported_at AS owners_reported_at,
            staged.tags_event AS tags_event,
            staged.owners_event AS owners_event
        FROM {staging}.dataset_labels AS staged
        LEFT JOIN identity_map AS known_dataset_uuid
            ON known_dataset_uuid.entity = 'datasets' AND known_dataset_uuid.key_uuid = staged.dataset_uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
)
INSERT INTO dataset_labels AS stored (uuid, dataset_uuid, tags, tags_reported_at, owners, owners_reported_at, tags_event, owners_event)
SELECT uuid, dataset_uuid, tags, tags_reported_at, owners, owners_reported_at, tags_event, owners_event
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    tags = CASE WHEN is_newer(excluded.tags_event, stored.tags_event) THEN excluded.tags ELSE stored.tags END,
    tags_reported_at = CASE WHEN is_newer(excluded.tags_event, stored.tags_event) THEN excluded.tags_reported_at ELSE stored.tags_reported_at END,
    owners = CASE WHEN is_newer(excluded.owners_event, stored.owners_event) THEN excluded.owners ELSE stored.owners END,
    owners_reported_at = CASE WHEN is_newer(excluded.owners_event, stored.owners_event) THEN excluded.owners_reported_at ELSE stored.owners_reported_at END,
    tags_event = CASE WHEN is_newer(excluded.tags_event, stored.tags_event) THEN excluded.tags_event ELSE stored.tags_event END,
    owners_event = CASE WHEN is_newer(excluded.owners_event, stored.owners_event) THEN excluded.owners_event ELSE stored.owners_event END
WHERE is_newer(excluded.tags_event, stored.tags_event)
   OR is_newer(excluded.owners_event, stored.owners_event);
