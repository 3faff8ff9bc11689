-- Rendered from tables/run_args.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        min(created_at) AS created_at,
        (array_agg(args))[1] AS args,
        (array_agg(checksum))[1] AS checksum
    FROM (
        SELECT
            coalesce(known_uuid.uuid, staged.uuid) AS uuid,
            staged.created_at AS created_at,
            staged.args AS args,
            staged.checksum AS checksum
        FROM staging.run_args AS staged
        LEFT JOIN identity_map AS known_uuid
            ON known_uuid.entity = 'run_args' AND known_uuid.key_uuid = staged.uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
)
INSERT INTO run_args AS stored (uuid, created_at, args, checksum)
SELECT uuid, created_at, args, checksum
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    created_at = LEAST(stored.created_at, excluded.created_at)
WHERE excluded.created_at < stored.created_at;
