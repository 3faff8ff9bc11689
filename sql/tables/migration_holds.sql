-- Rendered from tables/migration_holds.py by `lineage sql`: edit the declaration, not this file.
CREATE SEQUENCE migration_holds_id_seq;
CREATE TABLE migration_holds (
    id bigint NOT NULL DEFAULT nextval('migration_holds_id_seq'),
    migration text NOT NULL,
    signal text NOT NULL,
    detail text NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    ended_at timestamptz,
    PRIMARY KEY (id),
    FOREIGN KEY (migration) REFERENCES migrations (name) ON DELETE CASCADE
);
ALTER SEQUENCE migration_holds_id_seq OWNED BY migration_holds.id;
CREATE INDEX migration_holds_migration_index ON migration_holds (migration);
CREATE UNIQUE INDEX migration_holds_open_index ON migration_holds (migration, signal) WHERE ended_at IS NULL;
COMMENT ON TABLE migration_holds IS 'Waits of long migrations because of the server''s health. While one is open, no worker begins a transaction.';
COMMENT ON COLUMN migration_holds.id IS 'In order.';
COMMENT ON COLUMN migration_holds.migration IS 'The migration.';
COMMENT ON COLUMN migration_holds.signal IS 'What was too much.';
COMMENT ON COLUMN migration_holds.detail IS 'What the server showed.';
COMMENT ON COLUMN migration_holds.since IS 'When it began.';
COMMENT ON COLUMN migration_holds.until IS 'When the server is looked at again.';
COMMENT ON COLUMN migration_holds.ended_at IS 'When it was over; null while it lasts.';
COMMENT ON INDEX migration_holds_migration_index IS 'Removal of a migration.';
COMMENT ON INDEX migration_holds_open_index IS 'What holds a migration now; one hold for each signal.';
