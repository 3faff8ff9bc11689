-- Rendered from model/tables/tags.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        (array_agg(uuid))[1] AS uuid,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        (array_agg(updated_at ORDER BY latest_event DESC NULLS LAST))[1] AS updated_at,
        name,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event,
        (array_agg(latest_event ORDER BY latest_event DESC NULLS LAST))[1] AS latest_event
    FROM (
        SELECT
            staged.uuid AS uuid,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            staged.name AS name,
            staged.first_event AS first_event,
            staged.latest_event AS latest_event
        FROM {staging}.tags AS staged
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY name
)
INSERT INTO tags AS stored (uuid, created_at, updated_at, name, first_event, latest_event)
SELECT uuid, created_at, updated_at, name, first_event, latest_event
FROM folded
ORDER BY name COLLATE "C"
ON CONFLICT (name) DO UPDATE SET
    created_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.updated_at ELSE stored.updated_at END,
    first_event = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.first_event ELSE stored.first_event END,
    latest_event = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.latest_event ELSE stored.latest_event END
WHERE is_earlier(excluded.first_event, stored.first_event)
   OR is_newer(excluded.latest_event, stored.latest_event);
