-- The columns of datasets, each field once, as the last event that had it describes it.
-- again: A slice describes a schema, or a name becomes another dataset's.
-- reads: staging.dataset_schemas, dataset_schemas, datasets, identity_map of dataset_fields, identity_map of datasets,
--     changed_names, moved_datasets
-- writes: dataset_fields, dataset_fields_tag_mapping
-- removes: dataset_fields
-- before: model/derive/dataset_tags
--
-- Comes before dataset_tags: columns that are made anew get people's tags back before reported ones are added.

-- moved_field_tags: the tags that people gave to columns of datasets that lose or gain a name. Those columns are made anew.
CREATE TEMP TABLE moved_field_tags ON COMMIT DROP AS
SELECT field.dataset_uuid, field.name, field.type, tagged.tag_uuid, tagged.tagged_at
FROM moved_datasets AS moved
JOIN dataset_fields AS field ON field.dataset_uuid = moved.uuid
JOIN dataset_fields_tag_mapping AS tagged ON tagged.dataset_field_uuid = field.uuid AND NOT tagged.is_reported;

DELETE FROM dataset_fields AS stored
USING moved_datasets AS moved
WHERE stored.dataset_uuid = moved.uuid;

WITH described AS (
    SELECT
        coalesce(known_field.uuid, field.uuid) AS uuid,
        coalesce(known_dataset.uuid, staged.name_uuid) AS dataset_uuid,
        field.name,
        field.type,
        field.description,
        staged.created_at,
        staged.first_event,
        staged.updated_at,
        staged.latest_event,
        field.place
    FROM (
        SELECT name_uuid, keyed_fields, created_at, first_event, updated_at, latest_event
        FROM {staging}.dataset_schemas
        WHERE part_id = ANY (%(parts)s)
        UNION ALL
        SELECT
            stored.name_uuid, stored.keyed_fields, stored.created_at, stored.first_event, stored.updated_at,
            stored.latest_event
        FROM moved_datasets AS moved
        JOIN datasets AS dataset USING (uuid)
        JOIN dataset_schemas AS stored ON stored.own_name_uuid = dataset.name_uuid
    ) AS staged
    CROSS JOIN LATERAL ROWS FROM (
        jsonb_to_recordset(staged.keyed_fields) AS (uuid uuid, name text, type text, description text)
    ) WITH ORDINALITY AS field (uuid, name, type, description, place)
    LEFT JOIN identity_map AS known_dataset
        ON known_dataset.entity = 'datasets' AND known_dataset.key_uuid = staged.name_uuid
    LEFT JOIN identity_map AS known_field
        ON known_field.entity = 'dataset_fields' AND known_field.key_uuid = field.uuid
),
folded AS (
    SELECT DISTINCT ON (uuid)
        uuid,
        dataset_uuid,
        name,
        type,
        description,
        first_value(created_at) OVER first_one AS created_at,
        first_value(first_event) OVER first_one AS first_event,
        updated_at,
        latest_event
    FROM described
    WINDOW first_one AS (PARTITION BY uuid ORDER BY first_event)
    ORDER BY uuid, latest_event DESC, place DESC
)
-- One that somebody else has made has no first event.
INSERT INTO dataset_fields AS stored (
    uuid, dataset_uuid, name, type, description, created_at, first_event, updated_at, latest_event
)
SELECT uuid, dataset_uuid, name, type, description, created_at, first_event, updated_at, latest_event
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO UPDATE SET
    created_at = CASE
        WHEN stored.first_event IS NULL OR excluded.first_event < stored.first_event THEN excluded.created_at
        ELSE stored.created_at
    END,
    first_event = LEAST(stored.first_event, excluded.first_event),
    (description, updated_at, latest_event) = (
        SELECT newest.description, newest.updated_at, newest.latest_event
        FROM (
            VALUES
                (excluded.description, excluded.updated_at, excluded.latest_event),
                (stored.description, stored.updated_at, stored.latest_event)
        ) AS newest (description, updated_at, latest_event)
        ORDER BY newest.latest_event DESC NULLS LAST
        LIMIT 1
    )
WHERE stored.first_event IS NULL OR excluded.first_event < stored.first_event OR excluded.latest_event > stored.latest_event;

INSERT INTO dataset_fields_tag_mapping (dataset_field_uuid, tag_uuid, tagged_at)
SELECT DISTINCT ON (field.uuid, moved.tag_uuid) field.uuid, moved.tag_uuid, moved.tagged_at
FROM moved_field_tags AS moved
JOIN dataset_fields AS field
    ON field.name = moved.name
   AND field.type IS NOT DISTINCT FROM moved.type
   AND (
       field.dataset_uuid = moved.dataset_uuid
       OR field.dataset_uuid IN (SELECT new_uuid FROM changed_names WHERE old_uuid = moved.dataset_uuid)
   )
ORDER BY field.uuid, moved.tag_uuid, moved.tagged_at
ON CONFLICT DO NOTHING;
