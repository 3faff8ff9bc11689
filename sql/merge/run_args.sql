-- Rendered from model/tables/run_args.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        (array_agg(args ORDER BY first_event ASC NULLS LAST))[1] AS args,
        (array_agg(checksum))[1] AS checksum,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event
    FROM (
        SELECT
            coalesce(known_uuid.uuid, staged.uuid) AS uuid,
            staged.created_at AS created_at,
            staged.args AS args,
            staged.checksum AS checksum,
            staged.first_event AS first_event
        FROM {staging}.run_args AS staged
        LEFT JOIN identity_map AS known_uuid
            ON known_uuid.entity = 'run_args' AND known_uuid.key_uuid = staged.uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
)
INSERT INTO run_args AS stored (uuid, created_at, args, checksum, first_event)
SELECT uuid, created_at, args, checksum, first_event
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    created_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.created_at ELSE stored.created_at END,
    args = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.args ELSE stored.args END,
    first_event = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.first_event ELSE stored.first_event END
WHERE is_earlier(excluded.first_event, stored.first_event);
