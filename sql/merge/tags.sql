-- Rendered from tables/tags.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        (array_agg(uuid))[1] AS uuid,
        min(created_at) AS created_at,
        (array_agg(updated_at ORDER BY latest_event DESC NULLS LAST))[1] AS updated_at,
        name,
        (array_agg(latest_event ORDER BY latest_event DESC NULLS LAST))[1] AS latest_event
    FROM (
        SELECT
            staged.uuid AS uuid,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            staged.name AS name,
            staged.latest_event AS latest_event
        FROM staging.tags AS staged
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY name
)
INSERT INTO tags AS stored (uuid, created_at, updated_at, name, latest_event)
SELECT uuid, created_at, updated_at, name, latest_event
FROM folded
ORDER BY name
ON CONFLICT (name) DO UPDATE SET
    created_at = LEAST(stored.created_at, excluded.created_at),
    updated_at = CASE WHEN coalesce(excluded.latest_event > stored.latest_event, excluded.latest_event IS NOT NULL AND stored.latest_event IS NULL) THEN excluded.updated_at ELSE stored.updated_at END,
    latest_event = CASE WHEN coalesce(excluded.latest_event > stored.latest_event, excluded.latest_event IS NOT NULL AND stored.latest_event IS NULL) THEN excluded.latest_event ELSE stored.latest_event END
WHERE excluded.created_at < stored.created_at
   OR coalesce(excluded.latest_event > stored.latest_event, excluded.latest_event IS NOT NULL AND stored.latest_event IS NULL);
