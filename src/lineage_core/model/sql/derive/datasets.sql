-- Datasets, by all of their names: each has what the first and the last event stated of it.
-- again: A slice names it, or a name becomes or ceases to be its.
-- reads: staging.dataset_names, dataset_names, identity_map of datasets, changed_names
-- writes: datasets
--
-- An event counts under whichever name of the dataset it came.

WITH touched AS (
    SELECT coalesce(known.uuid, stated.uuid) AS uuid
    FROM (SELECT DISTINCT uuid FROM {staging}.dataset_names WHERE part_id = ANY (%(parts)s)) AS stated
    LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = stated.uuid
    UNION
    SELECT new_uuid FROM changed_names
    UNION
    SELECT changed.old_uuid
    FROM changed_names AS changed
    WHERE NOT EXISTS (SELECT FROM identity_map WHERE entity = 'datasets' AND key_uuid = changed.old_uuid)
),
named AS (
    SELECT touched.uuid AS dataset_uuid, name.*
    FROM touched
    JOIN dataset_names AS name USING (uuid)
    UNION ALL
    SELECT touched.uuid, name.*
    FROM touched
    JOIN identity_map AS known ON known.entity = 'datasets' AND known.uuid = touched.uuid
    JOIN dataset_names AS name ON name.uuid = known.key_uuid
),
described AS (
    SELECT
        dataset_uuid,
        (array_agg(created_at ORDER BY first_claim))[1] AS created_at,
        (array_agg(updated_at ORDER BY latest_event DESC NULLS LAST))[1] AS updated_at,
        (array_agg(namespace_uuid) FILTER (WHERE claimed_by = uuid))[1] AS namespace_uuid,
        (array_agg(source_uuid ORDER BY first_event NULLS LAST))[1] AS source_uuid,
        (array_agg(name) FILTER (WHERE claimed_by = uuid))[1] AS name,
        (array_agg(name ORDER BY latest_event DESC NULLS LAST))[1] AS physical_name,
        (array_agg(description ORDER BY latest_event DESC NULLS LAST))[1] AS description,
        (array_agg(namespace_name) FILTER (WHERE claimed_by = uuid))[1] AS namespace_name,
        (array_agg(source_name ORDER BY first_event NULLS LAST))[1] AS source_name,
        (array_agg(is_deleted ORDER BY latest_event DESC NULLS LAST))[1] AS is_deleted,
        (array_agg(uuid) FILTER (WHERE claimed_by = uuid))[1] AS name_uuid
    FROM named
    GROUP BY dataset_uuid
    ORDER BY dataset_uuid
)
MERGE INTO datasets AS stored
USING described AS made ON stored.uuid = made.dataset_uuid
WHEN MATCHED AND (
        stored.type, stored.created_at, stored.updated_at, stored.source_uuid, stored.physical_name, stored.description,
        stored.source_name, stored.is_deleted
    ) IS DISTINCT FROM (
        'DB_TABLE', made.created_at, made.updated_at, made.source_uuid, made.physical_name, made.description,
        made.source_name, made.is_deleted
    )
THEN UPDATE SET
    type = 'DB_TABLE',
    created_at = made.created_at,
    updated_at = made.updated_at,
    source_uuid = made.source_uuid,
    physical_name = made.physical_name,
    description = made.description,
    source_name = made.source_name,
    is_deleted = made.is_deleted
WHEN NOT MATCHED THEN INSERT (
    uuid, type, created_at, updated_at, namespace_uuid, source_uuid, name, physical_name, description, namespace_name,
    source_name, is_deleted, name_uuid
) VALUES (
    made.dataset_uuid, 'DB_TABLE', made.created_at, made.updated_at, made.namespace_uuid, made.source_uuid, made.name,
    made.physical_name, made.description, made.namespace_name, made.source_name, made.is_deleted, made.name_uuid
);
