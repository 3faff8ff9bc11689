-- Rendered from tables/run_args.py by `lineage sql`: edit the declaration, not this file.
CREATE UNLOGGED TABLE staging.run_args (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamp,
    args text,
    checksum varchar(255),
    first_event bytea
);
COMMENT ON TABLE staging.run_args IS 'Rows for run_args that wait for their merge; emptied by a crash.';
