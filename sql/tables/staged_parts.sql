-- Rendered from tables/staged_parts.py by `lineage sql`: edit the declaration, not this file.
CREATE SEQUENCE staged_parts_id_seq;
CREATE TABLE staged_parts (
    part_id bigint NOT NULL DEFAULT nextval('staged_parts_id_seq'),
    epoch bigint NOT NULL,
    slice bigint NOT NULL,
    partition integer NOT NULL,
    rows jsonb NOT NULL,
    staged_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (part_id)
);
ALTER SEQUENCE staged_parts_id_seq OWNED BY staged_parts.part_id;
COMMENT ON TABLE staged_parts IS 'What each task has staged. A crash empties the staging tables but not this manifest, so the loss is seen.';
COMMENT ON COLUMN staged_parts.part_id IS 'The attempt of one task; its staged rows bear it.';
COMMENT ON COLUMN staged_parts.epoch IS 'Epoch of the lease under which it was staged.';
COMMENT ON COLUMN staged_parts.slice IS 'Slice that it is a part of.';
COMMENT ON COLUMN staged_parts.partition IS 'Task of that slice.';
COMMENT ON COLUMN staged_parts.rows IS 'Number of rows staged for each table.';
COMMENT ON COLUMN staged_parts.staged_at IS 'When it was staged.';
