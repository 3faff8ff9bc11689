-- Rendered from tables/dataset_symlinks.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.dataset_symlinks (
    part_id bigint NOT NULL,
    dataset_uuid uuid,
    name varchar,
    namespace_uuid uuid,
    type varchar(64),
    is_primary boolean,
    created_at timestamp,
    updated_at timestamp,
    name_uuid uuid,
    first_event bytea
);
COMMENT ON TABLE staging.dataset_symlinks IS 'Rows for dataset_symlinks that wait for their merge; emptied by a crash.';
