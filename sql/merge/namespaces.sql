-- Rendered from model/tables/namespaces.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        (array_agg(updated_at ORDER BY first_event ASC NULLS LAST))[1] AS updated_at,
        (array_agg(name))[1] AS name,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event
    FROM (
        SELECT
            coalesce(known_uuid.uuid, staged.uuid) AS uuid,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            staged.name AS name,
            staged.first_event AS first_event
        FROM {staging}.namespaces AS staged
        LEFT JOIN identity_map AS known_uuid
            ON known_uuid.entity = 'namespaces' AND known_uuid.key_uuid = staged.uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
)
INSERT INTO namespaces AS stored (uuid, created_at, updated_at, name, first_event)
SELECT uuid, created_at, updated_at, name, first_event
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    created_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.updated_at ELSE stored.updated_at END,
    first_event = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.first_event ELSE stored.first_event END
WHERE is_earlier(excluded.first_event, stored.first_event);
