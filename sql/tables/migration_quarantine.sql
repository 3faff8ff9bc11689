-- Rendered from tables/migration_quarantine.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE migration_quarantine (
    migration text NOT NULL,
    key text NOT NULL,
    error text NOT NULL,
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (migration, key),
    FOREIGN KEY (migration) REFERENCES migrations (name) ON DELETE CASCADE
);
COMMENT ON TABLE migration_quarantine IS 'Single rows that a long migration could not work on, with the error; the rest went on.';
COMMENT ON COLUMN migration_quarantine.migration IS 'The migration.';
COMMENT ON COLUMN migration_quarantine.key IS 'Key of the row.';
COMMENT ON COLUMN migration_quarantine.error IS 'What went wrong.';
COMMENT ON COLUMN migration_quarantine.since IS 'When it was set aside.';
