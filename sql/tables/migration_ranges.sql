-- Rendered from tables/migration_ranges.py by `lineage sql`: edit the declaration, not this file.
CREATE SEQUENCE migration_ranges_id_seq;
CREATE TABLE migration_ranges (
    id bigint NOT NULL DEFAULT nextval('migration_ranges_id_seq'),
    migration text NOT NULL,
    after_key text,
    until_key text NOT NULL,
    cursor_key text,
    rows bigint NOT NULL,
    done bigint NOT NULL DEFAULT 0,
    changed bigint NOT NULL DEFAULT 0,
    state text NOT NULL DEFAULT 'pending',
    attempts integer NOT NULL DEFAULT 0,
    interruptions integer NOT NULL DEFAULT 0,
    not_before timestamptz,
    worker bigint,
    PRIMARY KEY (id),
    FOREIGN KEY (migration) REFERENCES migrations (name) ON DELETE CASCADE
);
ALTER SEQUENCE migration_ranges_id_seq OWNED BY migration_ranges.id;
CREATE INDEX migration_ranges_state_index ON migration_ranges (migration, state, id);
COMMENT ON TABLE migration_ranges IS 'The ranges of keys of a long migration. Only the worker that has one may write in it.';
COMMENT ON COLUMN migration_ranges.id IS 'Number of the range.';
COMMENT ON COLUMN migration_ranges.migration IS 'The migration.';
COMMENT ON COLUMN migration_ranges.after_key IS 'Key before its first; null if it begins with the first of all.';
COMMENT ON COLUMN migration_ranges.until_key IS 'Its last key.';
COMMENT ON COLUMN migration_ranges.cursor_key IS 'The last key that is done; null before the first transaction.';
COMMENT ON COLUMN migration_ranges.rows IS 'Rows when it was planned.';
COMMENT ON COLUMN migration_ranges.done IS 'Rows that are done, at most `rows`.';
COMMENT ON COLUMN migration_ranges.changed IS 'Rows of it that were changed.';
COMMENT ON COLUMN migration_ranges.state IS 'One of pending, running, waiting (to be tried again), done.';
COMMENT ON COLUMN migration_ranges.attempts IS 'Failures since it last got on.';
COMMENT ON COLUMN migration_ranges.interruptions IS 'Workers that died since it last got on.';
COMMENT ON COLUMN migration_ranges.not_before IS 'When it may be tried again.';
COMMENT ON COLUMN migration_ranges.worker IS 'Worker that has it; the fence.';
COMMENT ON INDEX migration_ranges_state_index IS 'The next range of a worker.';
