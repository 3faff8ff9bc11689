-- The columns of the schemas that the slice described: each field once, described by the last event that had it.
WITH described AS (
    SELECT
        coalesce(known_field.uuid, field.uuid) AS uuid,
        coalesce(known_dataset.uuid, staged.dataset_uuid) AS dataset_uuid,
        field.name,
        field.type,
        field.description,
        staged.created_at,
        staged.updated_at,
        staged.latest_event,
        field.place
    FROM staging.dataset_schemas AS staged
    CROSS JOIN LATERAL ROWS FROM (
        jsonb_to_recordset(staged.keyed_fields) AS (uuid uuid, name text, type text, description text)
    ) WITH ORDINALITY AS field (uuid, name, type, description, place)
    LEFT JOIN identity_map AS known_dataset
        ON known_dataset.entity = 'datasets' AND known_dataset.key_uuid = staged.dataset_uuid
    LEFT JOIN identity_map AS known_field
        ON known_field.entity = 'dataset_fields' AND known_field.key_uuid = field.uuid
    WHERE staged.part_id = ANY (%(parts)s)
),
folded AS (
    SELECT DISTINCT ON (uuid)
        uuid,
        dataset_uuid,
        name,
        type,
        description,
        min(created_at) OVER (PARTITION BY uuid) AS created_at,
        updated_at,
        latest_event
    FROM described
    ORDER BY uuid, latest_event DESC, place DESC
)
INSERT INTO dataset_fields AS stored (
    uuid, dataset_uuid, name, type, description, created_at, updated_at, latest_event
)
SELECT uuid, dataset_uuid, name, type, description, created_at, updated_at, latest_event
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    created_at = LEAST(stored.created_at, excluded.created_at),
    (description, updated_at, latest_event) = (
        SELECT newest.description, newest.updated_at, newest.latest_event
        FROM (
            VALUES
                (excluded.description, excluded.updated_at, excluded.latest_event),
                (stored.description, stored.updated_at, stored.latest_event)
        ) AS newest (description, updated_at, latest_event)
        ORDER BY newest.latest_event DESC
        LIMIT 1
    )
WHERE excluded.created_at < stored.created_at OR excluded.latest_event > stored.latest_event;
