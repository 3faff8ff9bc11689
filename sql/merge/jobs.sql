-- Rendered from model/tables/jobs.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(type ORDER BY latest_event DESC NULLS LAST))[1] AS type,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        (array_agg(updated_at ORDER BY latest_event DESC NULLS LAST))[1] AS updated_at,
        (array_agg(namespace_uuid))[1] AS namespace_uuid,
        (array_agg(simple_name ORDER BY parent_event ASC NULLS LAST))[1] AS simple_name,
        (array_agg(description ORDER BY latest_event DESC NULLS LAST))[1] AS description,
        (array_agg(namespace_name))[1] AS namespace_name,
        (array_agg(current_location ORDER BY latest_event DESC NULLS LAST))[1] AS current_location,
        (array_agg(current_inputs ORDER BY latest_event DESC NULLS LAST))[1] AS current_inputs,
        (array_agg(parent_job_uuid_string))[1] AS parent_job_uuid_string,
        (array_agg(name))[1] AS name,
        (array_agg(current_run_uuid ORDER BY latest_event DESC NULLS LAST))[1] AS current_run_uuid,
        (array_agg(latest_event ORDER BY latest_event DESC NULLS LAST))[1] AS latest_event,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event,
        (array_agg(parent_event ORDER BY parent_event ASC NULLS LAST))[1] AS parent_event
    FROM (
        SELECT
            coalesce(known_uuid.uuid, staged.uuid) AS uuid,
            staged.type AS type,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            coalesce(known_namespace_uuid.uuid, staged.namespace_uuid) AS namespace_uuid,
            staged.simple_name AS simple_name,
            staged.description AS description,
            staged.namespace_name AS namespace_name,
            staged.current_location AS current_location,
            staged.current_inputs AS current_inputs,
            staged.parent_job_uuid_string AS parent_job_uuid_string,
            staged.name AS name,
            staged.current_run_uuid AS current_run_uuid,
            staged.latest_event AS latest_event,
            staged.first_event AS first_event,
            staged.parent_event AS parent_event
        FROM {staging}.jobs AS staged
        LEFT JOIN identity_map AS known_uuid
            ON known_uuid.entity = 'jobs' AND known_uuid.key_uuid = staged.uuid
        LEFT JOIN identity_map AS known_namespace_uuid
            ON known_namespace_uuid.entity = 'namespaces' AND known_namespace_uuid.key_uuid = staged.namespace_uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
)
INSERT INTO jobs AS stored (uuid, type, created_at, updated_at, namespace_uuid, simple_name, description, namespace_name, current_location, current_inputs, parent_job_uuid_string, name, current_run_uuid, latest_event, first_event, parent_event)
SELECT uuid, type, created_at, updated_at, namespace_uuid, simple_name, description, namespace_name, current_location, current_inputs, parent_job_uuid_string, name, current_run_uuid, latest_event, first_event, parent_event
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    type = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.type ELSE stored.type END,
    created_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.updated_at ELSE stored.updated_at END,
    simple_name = CASE WHEN is_earlier(excluded.parent_event, stored.parent_event) THEN excluded.simple_name ELSE stored.simple_name END,
    description = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.description ELSE stored.description END,
    current_location = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.current_location ELSE stored.current_location END,
    current_inputs = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.current_inputs ELSE stored.current_inputs END,
    current_run_uuid = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.current_run_uuid ELSE stored.current_run_uuid END,
    latest_event = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.latest_event ELSE stored.latest_event END,
    first_event = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.first_event ELSE stored.first_event END,
    parent_event = CASE WHEN is_earlier(excluded.parent_event, stored.parent_event) THEN excluded.parent_event ELSE stored.parent_event END
WHERE is_newer(excluded.latest_event, stored.latest_event)
   OR is_earlier(excluded.first_event, stored.first_event)
   OR is_earlier(excluded.parent_event, stored.parent_event);
