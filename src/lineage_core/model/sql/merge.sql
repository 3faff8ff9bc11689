-- name: merge/dataset_column_lineages
-- Rendered from model/tables/dataset_column_lineages.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT DISTINCT ON (staged.uuid)
        staged.uuid AS uuid,
        staged.pairs AS pairs
    FROM {staging}.dataset_column_lineages AS staged
    WHERE staged.part_id = ANY (%(parts)s)
    ORDER BY staged.uuid
)
MERGE INTO dataset_column_lineages AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN NOT MATCHED THEN INSERT (uuid, pairs)
VALUES (made.uuid, made.pairs);

-- name: merge/dataset_endings
-- Rendered from model/tables/dataset_endings.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT DISTINCT ON (staged.name_uuid, staged.event_order)
        staged.name_uuid AS name_uuid,
        staged.event_order AS event_order,
        staged.renamed_to AS renamed_to
    FROM {staging}.dataset_endings AS staged
    WHERE staged.part_id = ANY (%(parts)s)
    ORDER BY staged.name_uuid, staged.event_order
)
MERGE INTO dataset_endings AS stored
USING folded AS made ON stored.name_uuid = made.name_uuid AND stored.event_order = made.event_order
WHEN NOT MATCHED THEN INSERT (name_uuid, event_order, renamed_to)
VALUES (made.name_uuid, made.event_order, made.renamed_to);

-- name: merge/tags
-- Rendered from model/tables/tags.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        (array_agg(uuid))[1] AS uuid,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        (array_agg(updated_at ORDER BY latest_event DESC NULLS LAST))[1] AS updated_at,
        name,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event,
        (array_agg(latest_event ORDER BY latest_event DESC NULLS LAST))[1] AS latest_event
    FROM (
        SELECT
            staged.uuid AS uuid,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            staged.name AS name,
            staged.first_event AS first_event,
            staged.latest_event AS latest_event
        FROM {staging}.tags AS staged
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY name
    ORDER BY name COLLATE "C"
)
INSERT INTO tags AS stored (uuid, created_at, updated_at, name, first_event, latest_event)
SELECT uuid, created_at, updated_at, name, first_event, latest_event
FROM folded
ON CONFLICT (name) DO UPDATE SET
    created_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.updated_at ELSE stored.updated_at END,
    first_event = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.first_event ELSE stored.first_event END,
    latest_event = CASE WHEN is_newer(excluded.latest_event, stored.latest_event) THEN excluded.latest_event ELSE stored.latest_event END
WHERE is_earlier(excluded.first_event, stored.first_event)
   OR is_newer(excluded.latest_event, stored.latest_event);

-- name: merge/dataset_names
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
    ORDER BY uuid
)
MERGE INTO dataset_names AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN MATCHED AND (is_earlier(made.first_claim, stored.first_claim)
   OR is_earlier(made.first_event, stored.first_event)
   OR is_newer(made.latest_event, stored.latest_event)) THEN UPDATE SET
    claimed_by = CASE WHEN is_earlier(made.first_claim, stored.first_claim) THEN made.claimed_by ELSE stored.claimed_by END,
    created_at = CASE WHEN is_earlier(made.first_claim, stored.first_claim) THEN made.created_at ELSE stored.created_at END,
    namespace_uuid = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.namespace_uuid ELSE stored.namespace_uuid END,
    source_uuid = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.source_uuid ELSE stored.source_uuid END,
    source_name = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.source_name ELSE stored.source_name END,
    updated_at = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.updated_at ELSE stored.updated_at END,
    description = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.description ELSE stored.description END,
    is_deleted = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.is_deleted ELSE stored.is_deleted END,
    first_claim = CASE WHEN is_earlier(made.first_claim, stored.first_claim) THEN made.first_claim ELSE stored.first_claim END,
    first_event = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.first_event ELSE stored.first_event END,
    latest_event = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.latest_event ELSE stored.latest_event END
WHEN NOT MATCHED THEN INSERT (uuid, namespace_name, name, claimed_by, created_at, namespace_uuid, source_uuid, source_name, updated_at, description, is_deleted, first_claim, first_event, latest_event)
VALUES (made.uuid, made.namespace_name, made.name, made.claimed_by, made.created_at, made.namespace_uuid, made.source_uuid, made.source_name, made.updated_at, made.description, made.is_deleted, made.first_claim, made.first_event, made.latest_event);

-- name: merge/owners
-- Rendered from model/tables/owners.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        (array_agg(uuid))[1] AS uuid,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        name,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event
    FROM (
        SELECT
            staged.uuid AS uuid,
            staged.created_at AS created_at,
            staged.name AS name,
            staged.first_event AS first_event
        FROM {staging}.owners AS staged
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY name
    ORDER BY name COLLATE "C"
)
INSERT INTO owners AS stored (uuid, created_at, name, first_event)
SELECT uuid, created_at, name, first_event
FROM folded
ON CONFLICT (name) DO UPDATE SET
    created_at = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.created_at ELSE stored.created_at END,
    first_event = CASE WHEN is_earlier(excluded.first_event, stored.first_event) THEN excluded.first_event ELSE stored.first_event END
WHERE is_earlier(excluded.first_event, stored.first_event);

-- name: merge/dataset_schemas
-- Rendered from model/tables/dataset_schemas.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(name_uuid))[1] AS name_uuid,
        (array_agg(own_name_uuid))[1] AS own_name_uuid,
        (array_agg(schema_version_uuid))[1] AS schema_version_uuid,
        (array_agg(fields))[1] AS fields,
        min(field_keys) AS field_keys,
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
            staged.field_keys AS field_keys,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            staged.first_event AS first_event,
            staged.latest_event AS latest_event
        FROM {staging}.dataset_schemas AS staged
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
    ORDER BY uuid
)
MERGE INTO dataset_schemas AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN MATCHED AND (is_earlier(made.first_event, stored.first_event)
   OR is_newer(made.latest_event, stored.latest_event)) THEN UPDATE SET
    created_at = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.updated_at ELSE stored.updated_at END,
    first_event = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.first_event ELSE stored.first_event END,
    latest_event = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.latest_event ELSE stored.latest_event END
WHEN NOT MATCHED THEN INSERT (uuid, name_uuid, own_name_uuid, schema_version_uuid, fields, field_keys, created_at, updated_at, first_event, latest_event)
VALUES (made.uuid, made.name_uuid, made.own_name_uuid, made.schema_version_uuid, made.fields, made.field_keys, made.created_at, made.updated_at, made.first_event, made.latest_event);

-- name: merge/namespaces
-- Rendered from model/tables/namespaces.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        (array_agg(updated_at ORDER BY first_event ASC NULLS LAST))[1] AS updated_at,
        (array_agg(name))[1] AS name,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event
    FROM (
        SELECT
            coalesce(known_uuid.uuid, staged.uuid) AS uuid,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            staged.name AS name,
            staged.first_event AS first_event
        FROM {staging}.namespaces AS staged
        LEFT JOIN identity_map AS known_uuid
            ON known_uuid.entity = 'namespaces' AND known_uuid.key_uuid = staged.uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
    ORDER BY uuid
)
MERGE INTO namespaces AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN MATCHED AND (is_earlier(made.first_event, stored.first_event)) THEN UPDATE SET
    created_at = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.updated_at ELSE stored.updated_at END,
    first_event = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.first_event ELSE stored.first_event END
WHEN NOT MATCHED THEN INSERT (uuid, created_at, updated_at, name, first_event)
VALUES (made.uuid, made.created_at, made.updated_at, made.name, made.first_event);

-- name: merge/sources
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
    ORDER BY uuid
)
MERGE INTO sources AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN MATCHED AND (is_earlier(made.first_event, stored.first_event)
   OR is_newer(made.latest_event, stored.latest_event)) THEN UPDATE SET
    type = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.type ELSE stored.type END,
    created_at = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.updated_at ELSE stored.updated_at END,
    connection_url = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.connection_url ELSE stored.connection_url END,
    first_event = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.first_event ELSE stored.first_event END,
    latest_event = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.latest_event ELSE stored.latest_event END
WHEN NOT MATCHED THEN INSERT (uuid, type, created_at, updated_at, name, connection_url, first_event, latest_event)
VALUES (made.uuid, made.type, made.created_at, made.updated_at, made.name, made.connection_url, made.first_event, made.latest_event);

-- name: merge/facet_sets
-- Rendered from model/tables/facet_sets.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT DISTINCT ON (staged.uuid)
        staged.uuid AS uuid,
        staged.facets AS facets
    FROM {staging}.facet_sets AS staged
    WHERE staged.part_id = ANY (%(parts)s)
    ORDER BY staged.uuid
)
MERGE INTO facet_sets AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN NOT MATCHED THEN INSERT (uuid, facets)
VALUES (made.uuid, made.facets);

-- name: merge/facets
-- Rendered from model/tables/facets.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT DISTINCT ON (staged.uuid)
        staged.uuid AS uuid,
        staged.name AS name,
        staged.facet AS facet
    FROM {staging}.facets AS staged
    WHERE staged.part_id = ANY (%(parts)s)
    ORDER BY staged.uuid
)
MERGE INTO facets AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN NOT MATCHED THEN INSERT (uuid, name, facet)
VALUES (made.uuid, made.name, made.facet);

-- name: merge/run_args
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
    ORDER BY uuid
)
MERGE INTO run_args AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN MATCHED AND (is_earlier(made.first_event, stored.first_event)) THEN UPDATE SET
    created_at = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.created_at ELSE stored.created_at END,
    args = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.args ELSE stored.args END,
    first_event = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.first_event ELSE stored.first_event END
WHEN NOT MATCHED THEN INSERT (uuid, created_at, args, checksum, first_event)
VALUES (made.uuid, made.created_at, made.args, made.checksum, made.first_event);

-- name: merge/unreadable_facets
-- Rendered from model/tables/unreadable_facets.py by `lineage sql`: edit the declaration, not this file.
INSERT INTO unreadable_facets (event_order, event_time, run_uuid, producer, name, path, reason)
SELECT
    staged.event_order,
    staged.event_time,
    staged.run_uuid,
    staged.producer,
    staged.name,
    staged.path,
    staged.reason
FROM {staging}.unreadable_facets AS staged
JOIN new_events USING (part_id, event_no)
WHERE staged.part_id = ANY (%(parts)s);

-- name: merge/dataset_symlinks
-- Rendered from model/tables/dataset_symlinks.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        (array_agg(dataset_uuid ORDER BY first_event ASC NULLS LAST))[1] AS dataset_uuid,
        name,
        namespace_uuid,
        (array_agg(type ORDER BY first_event ASC NULLS LAST))[1] AS type,
        (array_agg(is_primary ORDER BY first_event ASC NULLS LAST))[1] AS is_primary,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        (array_agg(updated_at ORDER BY first_event ASC NULLS LAST))[1] AS updated_at,
        (array_agg(name_uuid ORDER BY first_event ASC NULLS LAST))[1] AS name_uuid,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event
    FROM (
        SELECT
            coalesce(known_dataset_uuid.uuid, staged.dataset_uuid) AS dataset_uuid,
            staged.name AS name,
            coalesce(known_namespace_uuid.uuid, staged.namespace_uuid) AS namespace_uuid,
            staged.type AS type,
            staged.is_primary AS is_primary,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            staged.name_uuid AS name_uuid,
            staged.first_event AS first_event
        FROM {staging}.dataset_symlinks AS staged
        LEFT JOIN identity_map AS known_dataset_uuid
            ON known_dataset_uuid.entity = 'datasets' AND known_dataset_uuid.key_uuid = staged.dataset_uuid
        LEFT JOIN identity_map AS known_namespace_uuid
            ON known_namespace_uuid.entity = 'namespaces' AND known_namespace_uuid.key_uuid = staged.namespace_uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY name, namespace_uuid
    ORDER BY name COLLATE "C", namespace_uuid
)
MERGE INTO dataset_symlinks AS stored
USING folded AS made ON stored.name = made.name AND stored.namespace_uuid = made.namespace_uuid
WHEN MATCHED AND (is_earlier(made.first_event, stored.first_event)) THEN UPDATE SET
    dataset_uuid = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.dataset_uuid ELSE stored.dataset_uuid END,
    type = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.type ELSE stored.type END,
    is_primary = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.is_primary ELSE stored.is_primary END,
    created_at = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.updated_at ELSE stored.updated_at END,
    name_uuid = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.name_uuid ELSE stored.name_uuid END,
    first_event = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.first_event ELSE stored.first_event END
WHEN NOT MATCHED THEN INSERT (dataset_uuid, name, namespace_uuid, type, is_primary, created_at, updated_at, name_uuid, first_event)
VALUES (made.dataset_uuid, made.name, made.namespace_uuid, made.type, made.is_primary, made.created_at, made.updated_at, made.name_uuid, made.first_event);

-- name: merge/jobs
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
    ORDER BY uuid
)
MERGE INTO jobs AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN MATCHED AND (is_newer(made.latest_event, stored.latest_event)
   OR is_earlier(made.first_event, stored.first_event)
   OR is_earlier(made.parent_event, stored.parent_event)) THEN UPDATE SET
    type = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.type ELSE stored.type END,
    created_at = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.updated_at ELSE stored.updated_at END,
    simple_name = CASE WHEN is_earlier(made.parent_event, stored.parent_event) THEN made.simple_name ELSE stored.simple_name END,
    description = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.description ELSE stored.description END,
    current_location = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.current_location ELSE stored.current_location END,
    current_inputs = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.current_inputs ELSE stored.current_inputs END,
    current_run_uuid = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.current_run_uuid ELSE stored.current_run_uuid END,
    latest_event = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.latest_event ELSE stored.latest_event END,
    first_event = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.first_event ELSE stored.first_event END,
    parent_event = CASE WHEN is_earlier(made.parent_event, stored.parent_event) THEN made.parent_event ELSE stored.parent_event END
WHEN NOT MATCHED THEN INSERT (uuid, type, created_at, updated_at, namespace_uuid, simple_name, description, namespace_name, current_location, current_inputs, parent_job_uuid_string, name, current_run_uuid, latest_event, first_event, parent_event)
VALUES (made.uuid, made.type, made.created_at, made.updated_at, made.namespace_uuid, made.simple_name, made.description, made.namespace_name, made.current_location, made.current_inputs, made.parent_job_uuid_string, made.name, made.current_run_uuid, made.latest_event, made.first_event, made.parent_event);

-- name: merge/job_labels
-- Rendered from model/tables/job_labels.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(job_uuid))[1] AS job_uuid,
        (array_agg(tags ORDER BY tags_event DESC NULLS LAST))[1] AS tags,
        (array_agg(tags_reported_at ORDER BY tags_event DESC NULLS LAST))[1] AS tags_reported_at,
        (array_agg(owners ORDER BY owners_event DESC NULLS LAST))[1] AS owners,
        (array_agg(owners_reported_at ORDER BY owners_event DESC NULLS LAST))[1] AS owners_reported_at,
        (array_agg(tags_event ORDER BY tags_event DESC NULLS LAST))[1] AS tags_event,
        (array_agg(owners_event ORDER BY owners_event DESC NULLS LAST))[1] AS owners_event
    FROM (
        SELECT
            staged.uuid AS uuid,
            coalesce(known_job_uuid.uuid, staged.job_uuid) AS job_uuid,
            staged.tags AS tags,
            staged.tags_reported_at AS tags_reported_at,
            staged.owners AS owners,
            staged.owners_reported_at AS owners_reported_at,
            staged.tags_event AS tags_event,
            staged.owners_event AS owners_event
        FROM {staging}.job_labels AS staged
        LEFT JOIN identity_map AS known_job_uuid
            ON known_job_uuid.entity = 'jobs' AND known_job_uuid.key_uuid = staged.job_uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
    ORDER BY uuid
)
MERGE INTO job_labels AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN MATCHED AND (is_newer(made.tags_event, stored.tags_event)
   OR is_newer(made.owners_event, stored.owners_event)) THEN UPDATE SET
    tags = CASE WHEN is_newer(made.tags_event, stored.tags_event) THEN made.tags ELSE stored.tags END,
    tags_reported_at = CASE WHEN is_newer(made.tags_event, stored.tags_event) THEN made.tags_reported_at ELSE stored.tags_reported_at END,
    owners = CASE WHEN is_newer(made.owners_event, stored.owners_event) THEN made.owners ELSE stored.owners END,
    owners_reported_at = CASE WHEN is_newer(made.owners_event, stored.owners_event) THEN made.owners_reported_at ELSE stored.owners_reported_at END,
    tags_event = CASE WHEN is_newer(made.tags_event, stored.tags_event) THEN made.tags_event ELSE stored.tags_event END,
    owners_event = CASE WHEN is_newer(made.owners_event, stored.owners_event) THEN made.owners_event ELSE stored.owners_event END
WHEN NOT MATCHED THEN INSERT (uuid, job_uuid, tags, tags_reported_at, owners, owners_reported_at, tags_event, owners_event)
VALUES (made.uuid, made.job_uuid, made.tags, made.tags_reported_at, made.owners, made.owners_reported_at, made.tags_event, made.owners_event);

-- name: merge/dataset_labels
-- Rendered from model/tables/dataset_labels.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(dataset_uuid))[1] AS dataset_uuid,
        (array_agg(tags ORDER BY tags_event DESC NULLS LAST))[1] AS tags,
        (array_agg(tags_reported_at ORDER BY tags_event DESC NULLS LAST))[1] AS tags_reported_at,
        (array_agg(owners ORDER BY owners_event DESC NULLS LAST))[1] AS owners,
        (array_agg(owners_reported_at ORDER BY owners_event DESC NULLS LAST))[1] AS owners_reported_at,
        (array_agg(tags_event ORDER BY tags_event DESC NULLS LAST))[1] AS tags_event,
        (array_agg(owners_event ORDER BY owners_event DESC NULLS LAST))[1] AS owners_event
    FROM (
        SELECT
            staged.uuid AS uuid,
            coalesce(known_dataset_uuid.uuid, staged.dataset_uuid) AS dataset_uuid,
            staged.tags AS tags,
            staged.tags_reported_at AS tags_reported_at,
            staged.owners AS owners,
            staged.owners_reported_at AS owners_reported_at,
            staged.tags_event AS tags_event,
            staged.owners_event AS owners_event
        FROM {staging}.dataset_labels AS staged
        LEFT JOIN identity_map AS known_dataset_uuid
            ON known_dataset_uuid.entity = 'datasets' AND known_dataset_uuid.key_uuid = staged.dataset_uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
    ORDER BY uuid
)
MERGE INTO dataset_labels AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN MATCHED AND (is_newer(made.tags_event, stored.tags_event)
   OR is_newer(made.owners_event, stored.owners_event)) THEN UPDATE SET
    tags = CASE WHEN is_newer(made.tags_event, stored.tags_event) THEN made.tags ELSE stored.tags END,
    tags_reported_at = CASE WHEN is_newer(made.tags_event, stored.tags_event) THEN made.tags_reported_at ELSE stored.tags_reported_at END,
    owners = CASE WHEN is_newer(made.owners_event, stored.owners_event) THEN made.owners ELSE stored.owners END,
    owners_reported_at = CASE WHEN is_newer(made.owners_event, stored.owners_event) THEN made.owners_reported_at ELSE stored.owners_reported_at END,
    tags_event = CASE WHEN is_newer(made.tags_event, stored.tags_event) THEN made.tags_event ELSE stored.tags_event END,
    owners_event = CASE WHEN is_newer(made.owners_event, stored.owners_event) THEN made.owners_event ELSE stored.owners_event END
WHEN NOT MATCHED THEN INSERT (uuid, dataset_uuid, tags, tags_reported_at, owners, owners_reported_at, tags_event, owners_event)
VALUES (made.uuid, made.dataset_uuid, made.tags, made.tags_reported_at, made.owners, made.owners_reported_at, made.tags_event, made.owners_event);

-- name: merge/runs
-- Rendered from model/tables/runs.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(created_at ORDER BY first_event ASC NULLS LAST))[1] AS created_at,
        (array_agg(updated_at ORDER BY latest_event DESC NULLS LAST))[1] AS updated_at,
        (array_agg(run_args_uuid ORDER BY first_event ASC NULLS LAST))[1] AS run_args_uuid,
        (array_agg(nominal_start_time ORDER BY nominal_event ASC NULLS LAST))[1] AS nominal_start_time,
        (array_agg(nominal_end_time ORDER BY nominal_event ASC NULLS LAST))[1] AS nominal_end_time,
        (array_agg(current_run_state ORDER BY state_event DESC NULLS LAST))[1] AS current_run_state,
        (array_agg(start_run_state_uuid ORDER BY start_event ASC NULLS LAST))[1] AS start_run_state_uuid,
        (array_agg(end_run_state_uuid ORDER BY end_event DESC NULLS LAST))[1] AS end_run_state_uuid,
        (array_agg(external_id ORDER BY latest_event DESC NULLS LAST))[1] AS external_id,
        (array_agg(namespace_name ORDER BY first_event ASC NULLS LAST))[1] AS namespace_name,
        (array_agg(job_name ORDER BY first_event ASC NULLS LAST))[1] AS job_name,
        (array_agg(location ORDER BY latest_event DESC NULLS LAST))[1] AS location,
        (array_agg(transitioned_at ORDER BY state_event DESC NULLS LAST))[1] AS transitioned_at,
        (array_agg(started_at ORDER BY start_event ASC NULLS LAST))[1] AS started_at,
        (array_agg(ended_at ORDER BY end_event DESC NULLS LAST))[1] AS ended_at,
        (array_agg(parent_run_uuid ORDER BY parent_event ASC NULLS LAST))[1] AS parent_run_uuid,
        (array_agg(job_uuid ORDER BY first_event ASC NULLS LAST))[1] AS job_uuid,
        (array_agg(first_event ORDER BY first_event ASC NULLS LAST))[1] AS first_event,
        (array_agg(latest_event ORDER BY latest_event DESC NULLS LAST))[1] AS latest_event,
        (array_agg(nominal_event ORDER BY nominal_event ASC NULLS LAST))[1] AS nominal_event,
        (array_agg(state_event ORDER BY state_event DESC NULLS LAST))[1] AS state_event,
        (array_agg(start_event ORDER BY start_event ASC NULLS LAST))[1] AS start_event,
        (array_agg(end_event ORDER BY end_event DESC NULLS LAST))[1] AS end_event,
        (array_agg(parent_event ORDER BY parent_event ASC NULLS LAST))[1] AS parent_event
    FROM (
        SELECT
            staged.uuid AS uuid,
            staged.created_at AS created_at,
            staged.updated_at AS updated_at,
            coalesce(known_run_args_uuid.uuid, staged.run_args_uuid) AS run_args_uuid,
            staged.nominal_start_time AS nominal_start_time,
            staged.nominal_end_time AS nominal_end_time,
            staged.current_run_state AS current_run_state,
            staged.start_run_state_uuid AS start_run_state_uuid,
            staged.end_run_state_uuid AS end_run_state_uuid,
            staged.external_id AS external_id,
            staged.namespace_name AS namespace_name,
            staged.job_name AS job_name,
            staged.location AS location,
            staged.transitioned_at AS transitioned_at,
            staged.started_at AS started_at,
            staged.ended_at AS ended_at,
            staged.parent_run_uuid AS parent_run_uuid,
            coalesce(known_job_uuid.uuid, staged.job_uuid) AS job_uuid,
            staged.first_event AS first_event,
            staged.latest_event AS latest_event,
            staged.nominal_event AS nominal_event,
            staged.state_event AS state_event,
            staged.start_event AS start_event,
            staged.end_event AS end_event,
            staged.parent_event AS parent_event
        FROM {staging}.runs AS staged
        LEFT JOIN identity_map AS known_run_args_uuid
            ON known_run_args_uuid.entity = 'run_args' AND known_run_args_uuid.key_uuid = staged.run_args_uuid
        LEFT JOIN identity_map AS known_job_uuid
            ON known_job_uuid.entity = 'jobs' AND known_job_uuid.key_uuid = staged.job_uuid
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
    ORDER BY uuid
)
MERGE INTO runs AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN MATCHED AND (is_earlier(made.first_event, stored.first_event)
   OR is_newer(made.latest_event, stored.latest_event)
   OR is_earlier(made.nominal_event, stored.nominal_event)
   OR is_newer(made.state_event, stored.state_event)
   OR is_earlier(made.start_event, stored.start_event)
   OR is_newer(made.end_event, stored.end_event)
   OR is_earlier(made.parent_event, stored.parent_event)) THEN UPDATE SET
    created_at = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.created_at ELSE stored.created_at END,
    updated_at = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.updated_at ELSE stored.updated_at END,
    run_args_uuid = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.run_args_uuid ELSE stored.run_args_uuid END,
    nominal_start_time = CASE WHEN is_earlier(made.nominal_event, stored.nominal_event) THEN made.nominal_start_time ELSE stored.nominal_start_time END,
    nominal_end_time = CASE WHEN is_earlier(made.nominal_event, stored.nominal_event) THEN made.nominal_end_time ELSE stored.nominal_end_time END,
    current_run_state = CASE WHEN is_newer(made.state_event, stored.state_event) THEN made.current_run_state ELSE stored.current_run_state END,
    start_run_state_uuid = CASE WHEN is_earlier(made.start_event, stored.start_event) THEN made.start_run_state_uuid ELSE stored.start_run_state_uuid END,
    end_run_state_uuid = CASE WHEN is_newer(made.end_event, stored.end_event) THEN made.end_run_state_uuid ELSE stored.end_run_state_uuid END,
    external_id = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.external_id ELSE stored.external_id END,
    namespace_name = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.namespace_name ELSE stored.namespace_name END,
    job_name = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.job_name ELSE stored.job_name END,
    location = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.location ELSE stored.location END,
    transitioned_at = CASE WHEN is_newer(made.state_event, stored.state_event) THEN made.transitioned_at ELSE stored.transitioned_at END,
    started_at = CASE WHEN is_earlier(made.start_event, stored.start_event) THEN made.started_at ELSE stored.started_at END,
    ended_at = CASE WHEN is_newer(made.end_event, stored.end_event) THEN made.ended_at ELSE stored.ended_at END,
    parent_run_uuid = CASE WHEN is_earlier(made.parent_event, stored.parent_event) THEN made.parent_run_uuid ELSE stored.parent_run_uuid END,
    job_uuid = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.job_uuid ELSE stored.job_uuid END,
    first_event = CASE WHEN is_earlier(made.first_event, stored.first_event) THEN made.first_event ELSE stored.first_event END,
    latest_event = CASE WHEN is_newer(made.latest_event, stored.latest_event) THEN made.latest_event ELSE stored.latest_event END,
    nominal_event = CASE WHEN is_earlier(made.nominal_event, stored.nominal_event) THEN made.nominal_event ELSE stored.nominal_event END,
    state_event = CASE WHEN is_newer(made.state_event, stored.state_event) THEN made.state_event ELSE stored.state_event END,
    start_event = CASE WHEN is_earlier(made.start_event, stored.start_event) THEN made.start_event ELSE stored.start_event END,
    end_event = CASE WHEN is_newer(made.end_event, stored.end_event) THEN made.end_event ELSE stored.end_event END,
    parent_event = CASE WHEN is_earlier(made.parent_event, stored.parent_event) THEN made.parent_event ELSE stored.parent_event END
WHEN NOT MATCHED THEN INSERT (uuid, created_at, updated_at, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state, start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at, ended_at, parent_run_uuid, job_uuid, first_event, latest_event, nominal_event, state_event, start_event, end_event, parent_event)
VALUES (made.uuid, made.created_at, made.updated_at, made.run_args_uuid, made.nominal_start_time, made.nominal_end_time, made.current_run_state, made.start_run_state_uuid, made.end_run_state_uuid, made.external_id, made.namespace_name, made.job_name, made.location, made.transitioned_at, made.started_at, made.ended_at, made.parent_run_uuid, made.job_uuid, made.first_event, made.latest_event, made.nominal_event, made.state_event, made.start_event, made.end_event, made.parent_event);

-- name: merge/run_states
-- Rendered from model/tables/run_states.py by `lineage sql`: edit the declaration, not this file.
INSERT INTO run_states (uuid, transitioned_at, run_uuid, state)
SELECT
    staged.uuid,
    staged.transitioned_at,
    staged.run_uuid,
    staged.state
FROM {staging}.run_states AS staged
JOIN new_events USING (part_id, event_no)
WHERE staged.part_id = ANY (%(parts)s);
