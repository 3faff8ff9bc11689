-- Rendered from tables/tags.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.tags (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamptz,
    updated_at timestamptz,
    name varchar,
    first_event bytea,
    latest_event bytea
);
COMMENT ON TABLE staging.tags IS 'Rows for tags that wait for their merge; emptied by a crash.';
