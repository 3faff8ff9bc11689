-- Rendered from tables/namespaces.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        min(created_at) AS created_at,
        min(updated_at) AS updated_at,
        (array_agg(name))[1] AS name
    FROM (
        SELECT
            coalesce(known_uuid.uuid, staged.uuid) AS uuid,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            staged.name AS name
        FROM staging.namespaces AS staged
        LEFT JOIN identity_map AS known_uuid
            ON known_uuid.entity = 'namespaces' AND known_uuid.key_uuid = staged.uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
)
INSERT INTO namespaces AS stored (uuid, created_at, updated_at, name)
SELECT uuid, created_at, updated_at, name
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    created_at = LEAST(stored.created_at, excluded.created_at),
    updated_at = LEAST(stored.updated_at, excluded.updated_at)
WHERE excluded.created_at < stored.created_at
   OR excluded.updated_at < stored.updated_at;
