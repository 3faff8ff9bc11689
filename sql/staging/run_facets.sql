-- Rendered from tables/run_facets.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.run_facets (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    created_at timestamptz,
    run_uuid uuid,
    lineage_event_time timestamptz,
    lineage_event_type varchar(64),
    name varchar(255),
    facet jsonb,
    event_order bytea
);
COMMENT ON TABLE staging.run_facets IS 'Rows for run_facets that wait for their merge; emptied by a crash.';
