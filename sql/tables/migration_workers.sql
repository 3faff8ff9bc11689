-- Rendered from tables/migration_workers.py by `lineage sql`: edit the declaration, not this file.
CREATE SEQUENCE migration_workers_number_seq;
CREATE TABLE migration_workers (
    number bigint NOT NULL DEFAULT nextval('migration_workers_number_seq'),
    migration text NOT NULL,
    host text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now(),
    batch_rows bigint,
    batch_seconds double precision,
    longest_seconds double precision,
    rows_per_second double precision,
    spread double precision,
    PRIMARY KEY (number),
    FOREIGN KEY (migration) REFERENCES migrations (name) ON DELETE CASCADE
);
ALTER SEQUENCE migration_workers_number_seq OWNED BY migration_workers.number;
CREATE INDEX migration_workers_migration_index ON migration_workers (migration);
COMMENT ON TABLE migration_workers IS 'Workers of long migrations. One lives as long as its session, which holds an advisory lock of its number.';
COMMENT ON COLUMN migration_workers.number IS 'The worker.';
COMMENT ON COLUMN migration_workers.migration IS 'What it works on.';
COMMENT ON COLUMN migration_workers.host IS 'Machine that it runs on.';
COMMENT ON COLUMN migration_workers.started_at IS 'When it began.';
COMMENT ON COLUMN migration_workers.seen_at IS 'Its last transaction.';
COMMENT ON COLUMN migration_workers.batch_rows IS 'Rows of its last transaction.';
COMMENT ON COLUMN migration_workers.batch_seconds IS 'What that took.';
COMMENT ON COLUMN migration_workers.longest_seconds IS 'What its longest transaction took.';
COMMENT ON COLUMN migration_workers.rows_per_second IS 'Its rate, waits between transactions included.';
COMMENT ON COLUMN migration_workers.spread IS 'By which part single transactions differ from the rate.';
COMMENT ON INDEX migration_workers_migration_index IS 'The workers of a migration.';
