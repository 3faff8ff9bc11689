-- The schema version of each schema, under the dataset's own name, and its columns' ids.
-- again: A schema is described under a symlink, or the name becomes another's.
-- reads: staging.dataset_schemas, datasets, identity_map of datasets, changed_names
-- writes: dataset_schemas, identity_map of dataset_fields
-- removes: identity_map of dataset_fields
-- before: model/derive/unreferenced
--
-- A schema described under a symlink is one of the dataset: its id is that of the dataset's own name, and so are its columns.

-- renamed_schemas: the schemas that are kept for another dataset than their name is of.
CREATE TEMP TABLE renamed_schemas ON COMMIT DROP AS
SELECT
    described.uuid,
    dataset.name_uuid AS own_name_uuid,
    dataset.namespace_name,
    dataset.name,
    described.fields,
    described.field_keys,
    described.keyed_fields
FROM (
    SELECT uuid FROM {staging}.dataset_schemas WHERE part_id = ANY (%(parts)s)
    UNION
    SELECT stored.uuid
    FROM changed_names AS changed
    JOIN dataset_schemas AS stored
        ON stored.own_name_uuid = changed.old_own_name_uuid AND stored.name_uuid = changed.name_uuid
) AS doubtful
JOIN dataset_schemas AS described USING (uuid)
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = described.name_uuid
JOIN datasets AS dataset ON dataset.uuid = coalesce(known.uuid, described.name_uuid)
WHERE described.own_name_uuid <> dataset.name_uuid;

ANALYZE renamed_schemas;

UPDATE dataset_schemas AS stored
SET own_name_uuid = renamed.own_name_uuid,
    schema_version_uuid = (
        SELECT schema_version_uuid(renamed.namespace_name, renamed.name, array_agg(field.name), array_agg(field.type))
        FROM jsonb_to_recordset(renamed.fields) AS field (name text, type text)
    )
FROM renamed_schemas AS renamed
WHERE stored.uuid = renamed.uuid;

-- A column has the key that follows from the name in the event; identity_map says which column of the dataset it is.
DELETE FROM identity_map AS stored
USING renamed_schemas AS renamed
CROSS JOIN LATERAL schema_keys(renamed.field_keys, renamed.keyed_fields) AS field
WHERE stored.entity = 'dataset_fields' AND stored.key_uuid = field.uuid;

INSERT INTO identity_map (entity, key_uuid, uuid)
SELECT DISTINCT 'dataset_fields', field.uuid, coalesce(known.uuid, own.key_uuid)
FROM renamed_schemas AS renamed
CROSS JOIN LATERAL schema_fields(renamed.fields, renamed.field_keys, renamed.keyed_fields) AS field
CROSS JOIN LATERAL (
    SELECT key_uuid('dataset_fields', renamed.namespace_name, renamed.name, field.name, field.type)
) AS own (key_uuid)
LEFT JOIN identity_map AS known ON known.entity = 'dataset_fields' AND known.key_uuid = own.key_uuid
WHERE own.key_uuid <> field.uuid;
