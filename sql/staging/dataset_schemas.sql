-- Rendered from tables/dataset_schemas.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.dataset_schemas (
    part_id bigint NOT NULL,
    uuid uuid,
    name_uuid uuid,
    own_name_uuid uuid,
    schema_version_uuid uuid,
    fields jsonb,
    keyed_fields jsonb,
    created_at timestamptz,
    updated_at timestamptz,
    first_event bytea,
    latest_event bytea
);
COMMENT ON TABLE staging.dataset_schemas IS 'Rows for dataset_schemas that wait for their merge; emptied by a crash.';
