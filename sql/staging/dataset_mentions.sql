-- Rendered from tables/dataset_mentions.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.dataset_mentions (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    role integer,
    event_order bytea,
    place integer,
    name_uuid uuid,
    event_time timestamptz,
    run_uuid uuid,
    own_version_uuid uuid,
    namespace_name varchar,
    dataset_name varchar,
    lifecycle_state varchar(63),
    schema_uuid uuid,
    lineage_uuid uuid,
    mention_id bigint,
    is_current_at_once boolean
);
COMMENT ON TABLE staging.dataset_mentions IS 'Rows for dataset_mentions that wait for their merge; emptied by a crash.';
