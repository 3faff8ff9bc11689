-- The fields of a schema version are an array in its row. Those that are there stay where they are, under another name, until
-- the long migration `schema-fields` moves them: a view of the old name shows both.
ALTER TABLE dataset_schema_versions ADD COLUMN field_uuids uuid[];
ALTER TABLE changes.dataset_schema_versions ADD COLUMN field_uuids uuid[];

DROP TRIGGER IF EXISTS dataset_schema_versions_field_mapping_capture_insert ON dataset_schema_versions_field_mapping;
DROP TRIGGER IF EXISTS dataset_schema_versions_field_mapping_capture_update ON dataset_schema_versions_field_mapping;
DROP TRIGGER IF EXISTS dataset_schema_versions_field_mapping_capture_delete ON dataset_schema_versions_field_mapping;
DROP TRIGGER IF EXISTS dataset_schema_versions_field_mapping_capture_truncate ON dataset_schema_versions_field_mapping;

ALTER TABLE dataset_schema_versions_field_mapping RENAME TO schema_fields_to_move;
ALTER TABLE changes.dataset_schema_versions_field_mapping RENAME TO schema_fields_to_move;
ALTER INDEX dataset_schema_versions_field_mapping_pkey RENAME TO schema_fields_to_move_pkey;
ALTER INDEX dataset_schema_versions_field_mapping_field_index RENAME TO schema_fields_to_move_field_index;

-- Postgres has cut their names.
DO $$
DECLARE
    named record;
BEGIN
    FOR named IN
        SELECT conname, 'schema_fields_to_move_' || attname || '_fkey' AS becomes
        FROM pg_constraint
        JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
        WHERE conrelid = 'schema_fields_to_move'::regclass AND contype = 'f'
    LOOP
        EXECUTE format('ALTER TABLE schema_fields_to_move RENAME CONSTRAINT %I TO %I', named.conname, named.becomes);
    END LOOP;
END
$$;

COMMENT ON COLUMN dataset_schema_versions.field_uuids IS 'Its columns, rows of `dataset_fields`, by uuid; null while they are in `schema_fields_to_move`.';
COMMENT ON TABLE schema_fields_to_move IS 'The columns of schema versions whose `field_uuids` is null: an earlier release has kept them one by one. Nothing is added, and the long migration `schema-fields` empties it.';
COMMENT ON INDEX schema_fields_to_move_field_index IS 'Removal of a column.';
COMMENT ON TABLE changes.schema_fields_to_move IS 'Changes of schema_fields_to_move that wait for their publication.';
