-- Which text of functions, triggers and views the store has. A store that was made before knows of none, so all of them run.
CREATE TABLE schema_scripts (
    path text NOT NULL,
    digest text NOT NULL,
    applied_at timestamptz NOT NULL,
    PRIMARY KEY (path)
);
COMMENT ON TABLE schema_scripts IS 'The scripts of functions, triggers and views that made this store. An upgrade runs those that have changed.';
COMMENT ON COLUMN schema_scripts.path IS 'The file, below `sql/` and without its ending.';
COMMENT ON COLUMN schema_scripts.digest IS 'SHA-256 of its text, in hexadecimal digits.';
COMMENT ON COLUMN schema_scripts.applied_at IS 'When it was run last.';
