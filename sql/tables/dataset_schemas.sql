-- Rendered from tables/dataset_schemas.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_schemas (
    uuid uuid NOT NULL,
    name_uuid uuid NOT NULL,
    own_name_uuid uuid NOT NULL,
    schema_version_uuid uuid NOT NULL,
    fields jsonb,
    keyed_fields jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    first_event bytea,
    latest_event bytea,
    PRIMARY KEY (uuid)
);
CREATE INDEX dataset_schemas_own_name_index ON dataset_schemas (own_name_uuid);
CREATE INDEX dataset_schemas_schema_version_index ON dataset_schemas (schema_version_uuid);
COMMENT ON TABLE dataset_schemas IS 'Every schema that an event described. Fields, schema versions and their mappings follow from it.';
COMMENT ON COLUMN dataset_schemas.uuid IS 'Follows from the name and the list of fields as it stands.';
COMMENT ON COLUMN dataset_schemas.name_uuid IS 'Name under which it describes its dataset.';
COMMENT ON COLUMN dataset_schemas.own_name_uuid IS 'The own name of the dataset that it describes: the same, unless that name is a symlink.';
COMMENT ON COLUMN dataset_schemas.schema_version_uuid IS 'Schema version with the same names and types.';
COMMENT ON COLUMN dataset_schemas.fields IS 'The fields as dataset_versions.fields has them; null without a list.';
COMMENT ON COLUMN dataset_schemas.keyed_fields IS 'The same fields, each with the key that follows from the name.';
COMMENT ON COLUMN dataset_schemas.created_at IS 'Time of the first event that described it.';
COMMENT ON COLUMN dataset_schemas.updated_at IS 'Time of the last event that described it.';
COMMENT ON COLUMN dataset_schemas.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN dataset_schemas.latest_event IS 'Order of the event that the newest came from.';
COMMENT ON INDEX dataset_schemas_own_name_index IS 'All schemas of a dataset.';
COMMENT ON INDEX dataset_schemas_schema_version_index IS 'Fields of a schema version.';
