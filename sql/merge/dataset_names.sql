-- Rendered from model/tables/dataset_names.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(namespace_name))[1] AS namespace_name,
        (array_agg(name))[1] AS name,
        (array_agg(claimed_by ORDER BY first_claim ASC NULLS LAST))[1] AS claimed_by,
        (array_agg(created_at ORDER BY first_claim ASC NULLS LAST))[1] AS created_at,
        (array_agg(namespace_uuid ORDER BY first_event ASC NULLS LAST))[1] AS namespace_uuid,
        (array_agg(source_uuid ORDER BY first_event ASC NULLS LAST))[1] AS source_uuid,
        (array_agg(source_name ORDER BY first_event ASC NULLS LAST))[1] AS source_name,
        (array_agg(updated_at ORDER BY latest_event DESC NULLS LAST))[1] AS updated_at,
        (array_agg(description ORDER BY latest_event DESC NULLS LAST))[1] AS description,
        (array_agg(is_deleted ORDER BY latest_event DESC NULLS LAST))[1] AS is_deleted,
        (array_agg(first_claim ORDER BY first_claim ASC NULLS LAST))[1] AS first_claim,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event,
        (array_agg(latest_event ORDER BY latest_event DESC NULLS LAST))[1] AS latest_event
    FROM (
        SELECT
            staged.uuid AS uuid,
            staged.namespace_name AS namespace_name,
            staged.name AS name,
            staged.claimed_by AS claimed_by,
            staged.created_at AS created_at,
            coalesce(known_namespace_uuid.uuid, staged.namespace_uuid) AS namespace_uuid,
            coalesce(known_source_uuid.uuid, staged.source_uuid) AS source_uuid,
            staged.source_name AS source_name,
            staged.updated_at AS updated_at,
            staged.description AS description,
            staged.is_deleted AS is_deleted,
            staged.first_claim AS first_claim,
            staged.first_event AS first_event,
            staged.latest_event AS latest_event
        FROM {staging}.dataset_names AS staged
        LEFT JOIN identity_map AS known_namespace_uuid
            ON known_namespace_uuid.entity = 'namespaces' AND known_namespace_uuid.key_uuid = staged.namespace_uuid
        LEFT JOIN identity_map AS known_source_uuid
            ON known_source_uuid.entity = 'sources' AND known_source_uuid.key_uuid = staged.source_uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
)
INSERT INTO dataset_names AS stored (uuid, namespace_name, name, claimed_by, created_at, namespace_uuid, source_uuid, source_name, updated_at, description, is_deleted, first_claim, first_event, latest_event)
SELECT uuid, namespace_name, name, claimed_by, created_at, namespace_uuid, source_uuid, source_name, updated_at, description, is_deleted, first_claim, first_event, latest_event
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    claimed_by = CASE WHEN is_earlier(excluded.first_claim, stored.first_claim) THEN excluded.claimed_by ELSE stored.claimed_by END,
    created_at = CASE WHEN is_earlier(excluded.first_claim, stored.first_claim) THEN excluded.created_at ELSE stored.created_at END,
    namespace_uuid = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.namespace_uuid ELSE stored.namespace_uuid END,
    source_uuid = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.source_uuid ELSE stored.source_uuid END,
    source_name = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.source_name ELSE stored.source_name END,
    updated_at = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.updated_at ELSE stored.updated_at END,
    description = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.description ELSE stored.description END,
    is_deleted = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.is_deleted ELSE stored.is_deleted END,
    first_claim = CASE WHEN is_earlier(excluded.first_claim, stored.first_claim) THEN excluded.first_claim ELSE stored.first_claim END,
    first_event = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.first_event ELSE stored.first_event END,
    latest_event = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.latest_event ELSE stored.latest_event END
WHERE is_earlier(excluded.first_claim, stored.first_claim)
   OR is_earlier(excluded.first_event, stored.first_event)
   OR is_newer(excluded.latest_event, stored.latest_event);
