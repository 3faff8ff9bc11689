-- Rendered from tables/migration_acceptances.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE migration_acceptances (
    migration text NOT NULL,
    key text NOT NULL,
    error text NOT NULL,
    why text NOT NULL,
    accepted_by text NOT NULL DEFAULT session_user,
    accepted_from text,
    accepted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (migration, key),
    FOREIGN KEY (migration) REFERENCES migrations (name) ON DELETE CASCADE
);
COMMENT ON TABLE migration_acceptances IS 'Rows that a long migration cannot work on, and that somebody has accepted as they are. That counts while the row is in migration_quarantine with the same error.';
COMMENT ON COLUMN migration_acceptances.migration IS 'The migration.';
COMMENT ON COLUMN migration_acceptances.key IS 'Key of the row.';
COMMENT ON COLUMN migration_acceptances.error IS 'What was wrong with the row then.';
COMMENT ON COLUMN migration_acceptances.why IS 'Why it may stay so, in the words of who accepted it.';
COMMENT ON COLUMN migration_acceptances.accepted_by IS 'Login that accepted it.';
COMMENT ON COLUMN migration_acceptances.accepted_from IS 'User of the machine from which that was done, and the machine.';
COMMENT ON COLUMN migration_acceptances.accepted_at IS 'When.';
