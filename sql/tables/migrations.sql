-- Rendered from tables/migrations.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE migrations (
    name text NOT NULL,
    state text NOT NULL,
    settings jsonb NOT NULL,
    total bigint,
    reads_new boolean NOT NULL DEFAULT false,
    planned_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    finished_at timestamptz,
    verified_at timestamptz,
    verification jsonb,
    PRIMARY KEY (name)
);
COMMENT ON TABLE migrations IS 'Long migrations, which move rows in ranges while the store is in use: their state, settings and results.';
COMMENT ON COLUMN migrations.name IS 'Its name on the command line.';
COMMENT ON COLUMN migrations.state IS 'Where it stands, from planned to dropped.';
COMMENT ON COLUMN migrations.settings IS 'What an operator has set; workers read it all the time.';
COMMENT ON COLUMN migrations.total IS 'Rows to look at, counted in the order of keys when it was planned.';
COMMENT ON COLUMN migrations.reads_new IS 'Whether readers read what it made. The flag of the cut-over.';
COMMENT ON COLUMN migrations.planned_at IS 'When it was planned.';
COMMENT ON COLUMN migrations.started_at IS 'When the first worker began.';
COMMENT ON COLUMN migrations.finished_at IS 'When the last range was done.';
COMMENT ON COLUMN migrations.verified_at IS 'When readers were last seen to see the same, old and new.';
COMMENT ON COLUMN migrations.verification IS 'Counts and checksums of the last verification.';
