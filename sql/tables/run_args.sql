-- Rendered from tables/run_args.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE run_args (
    uuid uuid NOT NULL,
    created_at timestamp NOT NULL,
    args text NOT NULL,
    checksum varchar(255) NOT NULL,
    first_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT run_args_checksum_key UNIQUE (checksum)
);
COMMENT ON TABLE run_args IS 'The distinct arguments of runs: nominal times and the parent run.';
COMMENT ON COLUMN run_args.uuid IS 'Follows from the checksum.';
COMMENT ON COLUMN run_args.created_at IS 'Time of the first event with them, in UTC.';
COMMENT ON COLUMN run_args.args IS 'The arguments as JSON, by that event: names made for it may share a checksum.';
COMMENT ON COLUMN run_args.checksum IS 'SHA-256 of the arguments, in hexadecimal digits.';
COMMENT ON COLUMN run_args.first_event IS 'Order of the event that the earliest came from.';
