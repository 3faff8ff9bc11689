-- Rendered from model/tables/dataset_symlinks.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        (array_agg(dataset_uuid ORDER BY first_event ASC NULLS LAST))[1] AS dataset_uuid,
        name,
        namespace_uuid,
        (array_agg(type ORDER BY first_event ASC NULLS LAST))[1] AS type,
        (array_agg(is_primary ORDER BY first_event ASC NULLS LAST))[1] AS is_primary,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        (array_agg(updated_at ORDER BY first_event ASC NULLS LAST))[1] AS updated_at,
        (array_agg(name_uuid ORDER BY first_event ASC NULLS LAST))[1] AS name_uuid,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event
    FROM (
        SELECT
            coalesce(known_dataset_uuid.uuid, staged.dataset_uuid) AS dataset_uuid,
            staged.name AS name,
            coalesce(known_namespace_uuid.uuid, staged.namespace_uuid) AS namespace_uuid,
            staged.type AS type,
            staged.is_primary AS is_primary,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            staged.name_uuid AS name_uuid,
            staged.first_event AS first_event
        FROM {staging}.dataset_symlinks AS staged
        LEFT JOIN identity_map AS known_dataset_uuid
            ON known_dataset_uuid.entity = 'datasets' AND known_dataset_uuid.key_uuid = staged.dataset_uuid
        LEFT JOIN identity_map AS known_namespace_uuid
            ON known_namespace_uuid.entity = 'namespaces' AND known_namespace_uuid.key_uuid = staged.namespace_uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY name, namespace_uuid
)
INSERT INTO dataset_symlinks AS stored (dataset_uuid, name, namespace_uuid, type, is_primary, created_at, updated_at, name_uuid, first_event)
SELECT dataset_uuid, name, namespace_uuid, type, is_primary, created_at, updated_at, name_uuid, first_event
FROM folded
ORDER BY name COLLATE "C", namespace_uuid
ON CONFLICT (name, namespace_uuid) DO UPDATE SET
    dataset_uuid = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.dataset_uuid ELSE stored.dataset_uuid END,
    type = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.type ELSE stored.type END,
    is_primary = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.is_primary ELSE stored.is_primary END,
    created_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.updated_at ELSE stored.updated_at END,
    name_uuid = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.name_uuid ELSE stored.name_uuid END,
    first_event = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.first_event ELSE stored.first_event END
WHERE is_earlier(excluded.first_event, stored.first_event);
