-- Rendered from tables/unreadable_facets.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.unreadable_facets (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    event_order bytea,
    event_time timestamptz,
    run_uuid uuid,
    producer text,
    name varchar(255),
    path text,
    reason text
);
COMMENT ON TABLE staging.unreadable_facets IS 'Rows for unreadable_facets that wait for their merge; emptied by a crash.';
