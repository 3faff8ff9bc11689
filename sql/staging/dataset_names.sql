-- Rendered from tables/dataset_names.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.dataset_names (
    part_id bigint NOT NULL,
    uuid uuid,
    namespace_name varchar,
    name varchar,
    claimed_by uuid,
    created_at timestamptz,
    namespace_uuid uuid,
    source_uuid uuid,
    source_name varchar,
    updated_at timestamptz,
    description text,
    is_deleted boolean,
    first_claim bytea,
    first_event bytea,
    latest_event bytea
);
COMMENT ON TABLE staging.dataset_names IS 'Rows for dataset_names that wait for their merge; emptied by a crash.';
