-- Rendered from tables/owners.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.owners (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamp,
    name varchar,
    first_event bytea
);
COMMENT ON TABLE staging.owners IS 'Rows for owners that wait for their merge; emptied by a crash.';
