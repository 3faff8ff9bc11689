-- Rendered from model/tables/owners.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        (array_agg(uuid))[1] AS uuid,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        name,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event
    FROM (
        SELECT
            staged.uuid AS uuid,
            staged.created_at AS created_at,
            staged.name AS name,
            staged.first_event AS first_event
        FROM {staging}.owners AS staged
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY name
)
INSERT INTO owners AS stored (uuid, created_at, name, first_event)
SELECT uuid, created_at, name, first_event
FROM folded
ORDER BY name COLLATE "C"
ON CONFLICT (name) DO UPDATE SET
    created_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.created_at ELSE stored.created_at END,
    first_event = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.first_event ELSE stored.first_event END
WHERE is_earlier(excluded.first_event, stored.first_event);
