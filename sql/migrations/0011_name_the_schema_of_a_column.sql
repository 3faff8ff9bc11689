-- A column names the schema that describes it last, and is written only when that changes. Those that are there have the order of
-- the last event of that schema until the long migration `column-schemas`, or a merge, gives them its name.
ALTER TABLE dataset_fields ADD COLUMN schema_uuid uuid;
COMMENT ON COLUMN dataset_fields.updated_at IS 'Time of the first event with the schema that describes it now.';
COMMENT ON COLUMN dataset_fields.description IS 'Its description in that schema.';
COMMENT ON COLUMN dataset_fields.schema_uuid IS 'Of all schemas that have it, the one described last; null where `latest_event` stands for it.';
COMMENT ON COLUMN dataset_fields.latest_event IS 'Order of the last event of a schema that is gone, or of a row that an earlier release wrote.';
