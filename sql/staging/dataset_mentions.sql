-- Rendered from tables/dataset_mentions.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.dataset_mentions (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    dataset_uuid uuid,
    role integer,
    event_order bytea,
    event_time timestamptz,
    run_uuid uuid,
    origin_uuid uuid,
    version_uuid uuid,
    schema_uuid uuid,
    lineage_uuid uuid,
    mention_id bigint,
    is_current_at_once boolean
);
COMMENT ON TABLE staging.dataset_mentions IS 'Rows for dataset_mentions that wait for their merge; emptied by a crash.';
