-- The columns of datasets, each field once, as the last event that had it describes it.
-- again: A slice describes a schema that its columns do not have yet, or a name becomes another dataset's.
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

-- A column points to the schema that describes it last. Most schemas of a slice are those that their columns point to already: what
-- is known of these stays true, so their columns are not looked up one by one, and not written.
WITH telling AS MATERIALIZED (
    SELECT schema.uuid
    FROM (SELECT DISTINCT uuid FROM {staging}.dataset_schemas WHERE part_id = ANY (%(parts)s)) AS staged
    JOIN dataset_schemas AS schema USING (uuid)
    WHERE (
        SELECT count(*)
        FROM datasets AS dataset
        JOIN dataset_fields AS field ON field.dataset_uuid = dataset.uuid
        WHERE dataset.name_uuid = schema.own_name_uuid
          AND field.schema_uuid = schema.uuid
          AND field.updated_at = schema.created_at
          AND field.first_event <= schema.first_event
    ) < coalesce(cardinality(schema.field_keys), jsonb_array_length(schema.keyed_fields))
    UNION
    SELECT schema.uuid
    FROM moved_datasets AS moved
    JOIN datasets AS dataset USING (uuid)
    JOIN dataset_schemas AS schema ON schema.own_name_uuid = dataset.name_uuid
),
described AS (
    SELECT
        coalesce(known_field.uuid, field.uuid) AS uuid,
        coalesce(known_dataset.uuid, schema.name_uuid) AS dataset_uuid,
        field.name,
        field.type,
        field.description,
        schema.created_at,
        schema.first_event,
        schema.uuid AS schema_uuid,
        schema.latest_event,
        field.place
    FROM telling
    JOIN dataset_schemas AS schema USING (uuid)
    CROSS JOIN LATERAL schema_fields(schema.fields, schema.field_keys, schema.keyed_fields) AS field
    LEFT JOIN identity_map AS known_dataset
        ON known_dataset.entity = 'datasets' AND known_dataset.key_uuid = schema.name_uuid
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
        schema_uuid,
        created_at AS updated_at,
        first_value(created_at) OVER first_one AS created_at,
        first_value(first_event) OVER first_one AS first_event
    FROM described
    WINDOW first_one AS (PARTITION BY uuid ORDER BY first_event)
    ORDER BY uuid, latest_event DESC, place DESC
)
-- One that somebody else has made has no first event. One whose schema has gone with its mentions has the last event of that.
MERGE INTO dataset_fields AS stored
USING folded AS made ON stored.uuid = made.uuid
WHEN MATCHED AND (
    stored.first_event IS NULL
    OR made.first_event < stored.first_event
    OR (
        (stored.schema_uuid, stored.updated_at) IS DISTINCT FROM (made.schema_uuid, made.updated_at)
        AND coalesce(
            coalesce(stored.latest_event, (SELECT latest_event FROM dataset_schemas WHERE uuid = stored.schema_uuid))
                <= (SELECT latest_event FROM dataset_schemas WHERE uuid = made.schema_uuid),
            true
        )
    )
) THEN UPDATE SET
    created_at = CASE
        WHEN stored.first_event IS NULL OR made.first_event < stored.first_event THEN made.created_at
        ELSE stored.created_at
    END,
    first_event = LEAST(stored.first_event, made.first_event),
    (description, updated_at, schema_uuid, latest_event) = (
        SELECT newest.description, newest.updated_at, newest.schema_uuid, newest.latest_event
        FROM (
            VALUES
                (1, made.description, made.updated_at, made.schema_uuid, NULL::bytea),
                (2, stored.description, stored.updated_at, stored.schema_uuid, stored.latest_event)
        ) AS newest (place, description, updated_at, schema_uuid, latest_event)
        LEFT JOIN dataset_schemas AS schema ON schema.uuid = newest.schema_uuid
        ORDER BY coalesce(schema.latest_event, newest.latest_event) DESC NULLS LAST, newest.place
        LIMIT 1
    )
WHEN NOT MATCHED THEN INSERT (
    uuid, dataset_uuid, name, type, description, created_at, first_event, updated_at, schema_uuid
) VALUES (
    made.uuid, made.dataset_uuid, made.name, made.type, made.description, made.created_at, made.first_event, made.updated_at,
    made.schema_uuid
);

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
