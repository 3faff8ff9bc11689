-- Rendered from tables/namespaces.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.namespaces (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamptz,
    updated_at timestamptz,
    name varchar,
    first_event bytea
);
COMMENT ON TABLE staging.namespaces IS 'Rows for namespaces that wait for their merge; emptied by a crash.';
