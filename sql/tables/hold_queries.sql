-- Rendered from tables/hold_queries.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE hold_queries (
    name text NOT NULL,
    query text NOT NULL,
    stored_by text NOT NULL DEFAULT session_user,
    stored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (name)
);
COMMENT ON TABLE hold_queries IS 'Queries whose one value, true or above 0, holds a long migration. Whoever steers one chooses among these.';
COMMENT ON COLUMN hold_queries.name IS 'Its name, by which a migration''s setting refers to it.';
COMMENT ON COLUMN hold_queries.query IS 'One SELECT, run as a role that only reads.';
COMMENT ON COLUMN hold_queries.stored_by IS 'Login that stored it.';
COMMENT ON COLUMN hold_queries.stored_at IS 'When it was stored.';
