-- Rendered from tables/dataset_versions.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.dataset_versions (
    part_id bigint NOT NULL,
    uuid uuid,
    dataset_uuid uuid,
    version uuid,
    namespace_name varchar,
    dataset_name varchar,
    lifecycle_state varchar(63)
);
COMMENT ON TABLE staging.dataset_versions IS 'Rows for dataset_versions that wait for their merge; emptied by a crash.';
