-- Rendered from tables/dataset_facets.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.dataset_facets (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    created_at timestamptz,
    dataset_uuid uuid,
    run_uuid uuid,
    lineage_event_time timestamptz,
    lineage_event_type varchar(64),
    type varchar(64),
    name varchar(255),
    facet jsonb,
    mention_id bigint
);
COMMENT ON TABLE staging.dataset_facets IS 'Rows for dataset_facets that wait for their merge; emptied by a crash.';
