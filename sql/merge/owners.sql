-- Rendered from tables/owners.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        (array_agg(uuid))[1] AS uuid,
        min(created_at) AS created_at,
        name
    FROM (
        SELECT
            staged.uuid AS uuid,
            staged.created_at AS created_at,
            staged.name AS name
        FROM staging.owners AS staged
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY name
)
INSERT INTO owners AS stored (uuid, created_at, name)
SELECT uuid, created_at, name
FROM folded
ORDER BY name
ON CONFLICT (name) DO UPDATE SET
    created_at = LEAST(stored.created_at, excluded.created_at)
WHERE excluded.created_at < stored.created_at;
