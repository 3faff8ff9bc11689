-- Rendered from tables/datasets.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.datasets (
    part_id bigint NOT NULL,
    uuid uuid,
    type varchar(64),
    created_at timestamptz,
    updated_at timestamptz,
    namespace_uuid uuid,
    source_uuid uuid,
    name varchar,
    physical_name varchar,
    description text,
    namespace_name varchar,
    source_name varchar,
    is_deleted boolean,
    latest_event bytea,
    first_event bytea
);
COMMENT ON TABLE staging.datasets IS 'Rows for datasets that wait for their merge; emptied by a crash.';
