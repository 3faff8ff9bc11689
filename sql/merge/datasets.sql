-- Rendered from tables/datasets.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(type))[1] AS type,
        min(created_at) AS created_at,
        (array_agg(updated_at ORDER BY latest_event DESC NULLS LAST))[1] AS updated_at,
        (array_agg(namespace_uuid))[1] AS namespace_uuid,
        (array_agg(source_uuid ORDER BY first_event ASC NULLS LAST))[1] AS source_uuid,
        (array_agg(name))[1] AS name,
        (array_agg(physical_name ORDER BY latest_event DESC NULLS LAST))[1] AS physical_name,
        (array_agg(description ORDER BY latest_event DESC NULLS LAST))[1] AS description,
        (array_agg(namespace_name))[1] AS namespace_name,
        (array_agg(source_name ORDER BY first_event ASC NULLS LAST))[1] AS source_name,
        (array_agg(is_deleted ORDER BY latest_event DESC NULLS LAST))[1] AS is_deleted,
        (array_agg(latest_event ORDER BY latest_event DESC NULLS LAST))[1] AS latest_event,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event
    FROM (
        SELECT
            coalesce(known_uuid.uuid, staged.uuid) AS uuid,
            staged.type AS type,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            coalesce(known_namespace_uuid.uuid, staged.namespace_uuid) AS namespace_uuid,
            coalesce(known_source_uuid.uuid, staged.source_uuid) AS source_uuid,
            staged.name AS name,
            staged.physical_name AS physical_name,
            staged.description AS description,
            staged.namespace_name AS namespace_name,
            staged.source_name AS source_name,
            staged.is_deleted AS is_deleted,
            staged.latest_event AS latest_event,
            staged.first_event AS first_event
        FROM staging.datasets AS staged
        LEFT JOIN identity_map AS known_uuid
            ON known_uuid.entity = 'datasets' AND known_uuid.key_uuid = staged.uuid
        LEFT JOIN identity_map AS known_namespace_uuid
            ON known_namespace_uuid.entity = 'namespaces' AND known_namespace_uuid.key_uuid = staged.namespace_uuid
        LEFT JOIN identity_map AS known_source_uuid
            ON known_source_uuid.entity = 'sources' AND known_source_uuid.key_uuid = staged.source_uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
)
INSERT INTO datasets AS stored (uuid, type, created_at, updated_at, namespace_uuid, source_uuid, name, physical_name, description, namespace_name, source_name, is_deleted, latest_event, first_event)
SELECT uuid, type, created_at, updated_at, namespace_uuid, source_uuid, name, physical_name, description, namespace_name, source_name, is_deleted, latest_event, first_event
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    created_at = LEAST(stored.created_at, excluded.created_at),
    updated_at = CASE WHEN coalesce(excluded.latest_event > stored.latest_event, excluded.latest_event IS NOT NULL AND stored.latest_event IS NULL) THEN excluded.updated_at ELSE stored.updated_at END,
    source_uuid = CASE WHEN coalesce(excluded.first_event < stored.first_event, excluded.first_event IS NOT NULL AND stored.first_event IS NULL) THEN excluded.source_uuid ELSE stored.source_uuid END,
    physical_name = CASE WHEN coalesce(excluded.latest_event > stored.latest_event, excluded.latest_event IS NOT NULL AND stored.latest_event IS NULL) THEN excluded.physical_name ELSE stored.physical_name END,
    description = CASE WHEN coalesce(excluded.latest_event > stored.latest_event, excluded.latest_event IS NOT NULL AND stored.latest_event IS NULL) THEN excluded.description ELSE stored.description END,
    source_name = CASE WHEN coalesce(excluded.first_event < stored.first_event, excluded.first_event IS NOT NULL AND stored.first_event IS NULL) THEN excluded.source_name ELSE stored.source_name END,
    is_deleted = CASE WHEN coalesce(excluded.latest_event > stored.latest_event, excluded.latest_event IS NOT NULL AND stored.latest_event IS NULL) THEN excluded.is_deleted ELSE stored.is_deleted END,
    latest_event = CASE WHEN coalesce(excluded.latest_event > stored.latest_event, excluded.latest_event IS NOT NULL AND stored.latest_event IS NULL) THEN excluded.latest_event ELSE stored.latest_event END,
    first_event = CASE WHEN coalesce(excluded.first_event < stored.first_event, excluded.first_event IS NOT NULL AND stored.first_event IS NULL) THEN excluded.first_event ELSE stored.first_event END
WHERE excluded.created_at < stored.created_at
   OR coalesce(excluded.latest_event > stored.latest_event, excluded.latest_event IS NOT NULL AND stored.latest_event IS NULL)
   OR coalesce(excluded.first_event < stored.first_event, excluded.first_event IS NOT NULL AND stored.first_event IS NULL);
