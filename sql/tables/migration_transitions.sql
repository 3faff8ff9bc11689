-- Rendered from tables/migration_transitions.py by `lineage sql`: edit the declaration, not this file.
CREATE SEQUENCE migration_transitions_id_seq;
CREATE TABLE migration_transitions (
    id bigint NOT NULL DEFAULT nextval('migration_transitions_id_seq'),
    migration text NOT NULL,
    range_id bigint,
    event text NOT NULL,
    detail text,
    happened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (id),
    FOREIGN KEY (migration) REFERENCES migrations (name) ON DELETE CASCADE
);
ALTER SEQUENCE migration_transitions_id_seq OWNED BY migration_transitions.id;
CREATE INDEX migration_transitions_migration_index ON migration_transitions (migration, id);
COMMENT ON TABLE migration_transitions IS 'What happened to long migrations and to their ranges: each change of state, each failure with its error.';
COMMENT ON COLUMN migration_transitions.id IS 'In order.';
COMMENT ON COLUMN migration_transitions.migration IS 'The migration.';
COMMENT ON COLUMN migration_transitions.range_id IS 'The range, null if the migration as a whole is meant.';
COMMENT ON COLUMN migration_transitions.event IS 'The new state, or failed, split, quarantined, accepted, interrupted.';
COMMENT ON COLUMN migration_transitions.detail IS 'The error, or who did it.';
COMMENT ON COLUMN migration_transitions.happened_at IS 'When.';
COMMENT ON INDEX migration_transitions_migration_index IS 'The history of a migration.';
