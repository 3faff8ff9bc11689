-- Rendered from model/tables/sources.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(type ORDER BY first_event ASC NULLS LAST))[1] AS type,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        (array_agg(updated_at ORDER BY latest_event DESC NULLS LAST))[1] AS updated_at,
        (array_agg(name))[1] AS name,
        (array_agg(connection_url ORDER BY latest_event DESC NULLS LAST))[1] AS connection_url,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event,
        (array_agg(latest_event ORDER BY latest_event DESC NULLS LAST))[1] AS latest_event
    FROM (
        SELECT
            coalesce(known_uuid.uuid, staged.uuid) AS uuid,
            staged.type AS type,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            staged.name AS name,
            staged.connection_url AS connection_url,
            staged.first_event AS first_event,
            staged.latest_event AS latest_event
        FROM {staging}.sources AS staged
        LEFT JOIN identity_map AS known_uuid
            ON known_uuid.entity = 'sources' AND known_uuid.key_uuid = staged.uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
)
INSERT INTO sources AS stored (uuid, type, created_at, updated_at, name, connection_url, first_event, latest_event)
SELECT uuid, type, created_at, updated_at, name, connection_url, first_event, latest_event
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    type = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.type ELSE stored.type END,
    created_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.updated_at ELSE stored.updated_at END,
    connection_url = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.connection_url ELSE stored.connection_url END,
    first_event = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.first_event ELSE stored.first_event END,
    latest_event = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.latest_event ELSE stored.latest_event END
WHERE is_earlier(excluded.first_event, stored.first_event)
   OR is_newer(excluded.latest_event, stored.latest_event);
