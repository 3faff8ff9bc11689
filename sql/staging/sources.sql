-- Rendered from tables/sources.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.sources (
    part_id bigint NOT NULL,
    uuid uuid,
    type varchar(64),
    created_at timestamptz,
    updated_at timestamptz,
    name varchar,
    connection_url varchar,
    first_event bytea,
    latest_event bytea
);
COMMENT ON TABLE staging.sources IS 'Rows for sources that wait for their merge; emptied by a crash.';
