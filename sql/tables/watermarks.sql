-- Rendered from tables/watermarks.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE watermarks (
    name text NOT NULL,
    system_identifier bigint NOT NULL,
    done pg_snapshot NOT NULL,
    target pg_snapshot,
    cursor_xid bigint,
    cursor_seq bigint,
    partitions text[] NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (name)
);
COMMENT ON TABLE watermarks IS 'What each consumer of lineage_events has done: all that `done` sees, and of `target` all before the cursor.';
COMMENT ON COLUMN watermarks.name IS 'The consumer.';
COMMENT ON COLUMN watermarks.system_identifier IS 'Cluster that the snapshots were taken in; in any other they mean nothing.';
COMMENT ON COLUMN watermarks.done IS 'Every event that this snapshot sees is done.';
COMMENT ON COLUMN watermarks.target IS 'Snapshot that is being worked off; null between two runs.';
COMMENT ON COLUMN watermarks.cursor_xid IS 'Transaction of the last event done of the target.';
COMMENT ON COLUMN watermarks.cursor_seq IS 'Place in its transaction of the last event done of the target.';
COMMENT ON COLUMN watermarks.partitions IS 'Partitions that were looked through for arrival numbers of elsewhere, each as it was attached then.';
COMMENT ON COLUMN watermarks.updated_at IS 'When it was last moved.';
