-- Rendered from model/tables/dataset_schemas.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(name_uuid))[1] AS name_uuid,
        (array_agg(own_name_uuid))[1] AS own_name_uuid,
        (array_agg(schema_version_uuid))[1] AS schema_version_uuid,
        (array_agg(fields))[1] AS fields,
        (array_agg(keyed_fields))[1] AS keyed_fields,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        (array_agg(updated_at ORDER BY latest_event DESC NULLS LAST))[1] AS updated_at,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event,
        (array_agg(latest_event ORDER BY latest_event DESC NULLS LAST))[1] AS latest_event
    FROM (
        SELECT
            staged.uuid AS uuid,
            staged.name_uuid AS name_uuid,
            staged.own_name_uuid AS own_name_uuid,
            staged.schema_version_uuid AS schema_version_uuid,
            staged.fields AS fields,
            staged.keyed_fields AS keyed_fields,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            staged.first_event AS first_event,
            staged.latest_event AS latest_event
        FROM {staging}.dataset_schemas AS staged
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
)
INSERT INTO dataset_schemas AS stored (uuid, name_uuid, own_name_uuid, schema_version_uuid, fields, keyed_fields, created_at, updated_at, first_event, latest_event)
SELECT uuid, name_uuid, own_name_uuid, schema_version_uuid, fields, keyed_fields, created_at, updated_at, first_event, latest_event
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    created_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.updated_at ELSE stored.updated_at END,
    first_event = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.first_event ELSE stored.first_event END,
    latest_event = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.latest_event ELSE stored.latest_event END
WHERE is_earlier(excluded.first_event, stored.first_event)
   OR is_newer(excluded.latest_event, stored.latest_event);
