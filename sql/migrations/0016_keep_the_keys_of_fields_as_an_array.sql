-- A schema has the keys of its fields as an array, beside the list of fields. Those that are there have them in a second list of the
-- fields until the long migration `schema-keys` moves them.
ALTER TABLE dataset_schemas
    ADD COLUMN field_keys uuid[],
    ALTER COLUMN keyed_fields DROP NOT NULL;
COMMENT ON COLUMN dataset_schemas.field_keys IS 'The key of each of these fields, which follows from the name; null while `keyed_fields` has them.';
COMMENT ON COLUMN dataset_schemas.keyed_fields IS 'The same fields, each with its key, as an earlier release has written them; null since.';
ALTER TABLE staging.dataset_schemas DROP COLUMN keyed_fields, ADD COLUMN field_keys uuid[];
ALTER TABLE staging_2.dataset_schemas DROP COLUMN keyed_fields, ADD COLUMN field_keys uuid[];
